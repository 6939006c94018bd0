// The library is written in JavaScript. It calls the few operations of the host (host.cc).
#include "dialect/cosmos/scripts/runtime/library.h"

namespace mayfly::cosmos {

// Operations run after the script has returned, as if they took time. Their arguments are copied
// when they are called. A callback may be left out, and options before it.
const std::string_view script_library = R"js((ask, setting) => {
  'use strict';
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
    const set = (value) => { body = value; isSet = true; };
    const append = (value) => set(body === undefined ? value : `${body}${value}`);
    let isSet = false;
    return {
      isSet: () => isSet,
      getBody: () => body,
      setBody: set,
      appendBody: append,
      getValue: (key) => (key === 'Body' ? body : values[key]),
      setValue: (key, value) => { if (key === 'Body') set(value); else values[key] = value; },
      appendValue: (key, value) => {
        if (key === 'Body') append(value);
        else values[key] = key in values ? `${values[key]}${value}` : value;
      },
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

  const ordered = (key, sign) => (rows) => rows.map((row) => ({ key: key(row), row }))
    .sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0)).map(({ row }) => row);
  const steps = {
    filter: (fits) => (rows) => rows.filter((row) => fits(row)),
    map: (made) => (rows) => rows.map((row) => made(row)),
    pluck: (name) => (rows) => rows.map((row) => row[name]).filter((value) => value !== undefined),
    flatten: (isShallow) => (rows) => rows.flat(isShallow ? 1 : Infinity),
    sortBy: (key) => ordered(key, 1),
    sortByDescending: (key) => ordered(key, -1),
    unwind: (inner, made = (row, item) => [row, item]) =>
      (rows) => rows.flatMap((row) => (inner(row) ?? []).map((item) => made(row, item))),
  };
  // Without a callback the rows become the body of the response.
  const evaluate = (taken, options, callback = (error, rows) => {
    if (error) throw error;
    response.setBody(rows);
  }) => ({
    isAccepted: collection.readDocuments(setting.self, options ?? {}, (error, rows, more) =>
      callback(error, error ? undefined : taken.reduce((left, step) => step(left), rows), more)),
  });
  const options_in = (given) => given.find((one) => typeof one === 'object' && one !== null);
  const chain = (taken = []) => {
    const link = {
      value: (...given) => evaluate(taken, options_in(given),
        given.find((one) => typeof one === 'function')),
    };
    for (const [name, step] of Object.entries(steps)) {
      link[name] = (...given) => chain([...taken, step(...given)]);
    }
    return link;
  };
  const own_functions = { unwind: 2, flatten: 0, pluck: 0 };  // the others take one
  collection.chain = () => chain();
  for (const [name, step] of Object.entries(steps)) {
    collection[name] = (...given) => {
      const functions = given.filter((one) => typeof one === 'function');
      return evaluate([step(...given)], options_in(given), functions[own_functions[name] ?? 1]);
    };
  }

  const context = {
    getCollection: () => collection,
    getRequest: () => request,
    getResponse: () => response,
  };

  const shown = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const as = { d: Number, i: parseInt, f: Number, j: JSON.stringify };
  // The placeholders of the first text are replaced by the values after it; further values are
  // appended.
  const filled = (first, ...rest) => {
    if (typeof first !== 'string') return [first, ...rest];
    const text = first.replace(/%[sdifjoO%]/g, (mark) => {
      if (mark === '%%') return '%';
      return rest.length === 0 ? mark : (as[mark[1]] ?? shown)(rest.shift());
    });
    return [text, ...rest];
  };
  const log = (...values) => { ask('log', filled(...values).map(shown).join(' ')); };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  globalThis.getContext = () => context;
  globalThis.__ = { ...collection, request, response };

  const { isSet, getBody } = response;
  const getRequest = request.getBody;
  const result = () => setting.changesRequest
    ? { __proto__: null, request: getRequest() }
    : { __proto__: null, answers: isSet(), response: getBody() };
  delete request.isSet;
  delete response.isSet;
  return (step) => (step === 'next' ? next() : result());
})js";

}  // namespace mayfly::cosmos
