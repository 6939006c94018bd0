// The library is JavaScript itself; what it asks of us are the few rows of the host (host.cc).
#include "dialect/cosmos/scripts/library.h"

namespace mayfly::cosmos {

// Operations wait until the script has returned, as if they took time; their arguments are copied
// when they are asked for. A callback may be left out, and options before it.
const std::string_view script_library = R"js((() => {
  'use strict';
  const ask = globalThis.host;
  delete globalThis.host;
  const setting = ask('setting');
  const waiting = [];

  const operation = (name, count) => (...given) => {
    const callback = given.find((one) => typeof one === 'function');
    const values = given.filter((one) => typeof one !== 'function');
    const taken = [];
    for (let i = 0; i < count; ++i) taken.push(values[i] ?? null);
    taken.push(values[count] ?? {});
    const copied = JSON.parse(JSON.stringify(taken));
    if (!ask('accepts', name)) return false;
    waiting.push({ name, taken: copied, callback });
    return true;
  };

  const next = () => {
    const task = waiting.shift();
    if (task === undefined) return false;
    const { error, resource, options } = ask(task.name, ...task.taken);
    const thrown = error && Object.assign(new Error(error.body), error);
    if (task.callback) task.callback(thrown, resource, options ?? {});
    else if (thrown) throw thrown;
    return true;
  };

  const message = (body) => {
    const values = {};
    return {
      getBody: () => body,
      setBody: (value) => { body = value; },
      appendBody: (value) => { body = body === undefined ? value : `${body}${value}`; },
      getValue: (key) => values[key],
      setValue: (key, value) => { values[key] = value; },
      appendValue: (key, value) => { values[key] = key in values ? `${values[key]}${value}` : value; },
      getOperationType: () => setting.operation,
    };
  };

  const collection = {
    getSelfLink: () => setting.self,
    getAltLink: () => setting.alt,
    createDocument: operation('create', 2),
    upsertDocument: operation('upsert', 2),
    readDocument: operation('read', 1),
    readDocuments: operation('readAll', 1),
    queryDocuments: operation('query', 2),
    replaceDocument: operation('replace', 2),
    deleteDocument: operation('delete', 1),
  };
  const request = message(setting.request);
  const response = message(setting.response);
  const context = {
    getCollection: () => collection,
    getRequest: () => request,
    getResponse: () => response,
  };

  const shown = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const log = (...values) => { ask('log', values.map(shown).join(' ')); };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  globalThis.getContext = () => context;
  globalThis.__ = { ...collection, request, response };

  const tasks = { next, request: request.getBody, response: response.getBody };
  return (name) => tasks[name]();
})())js";

}  // namespace mayfly::cosmos
