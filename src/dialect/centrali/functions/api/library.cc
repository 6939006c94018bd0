// The library is written in JavaScript. It calls the few operations of the host (host.cc).
#include "dialect/centrali/functions/api/library.h"

#include "value/json/json.h"

namespace mayfly::centrali {

// The host has carried out the operation before the promise is returned, so it happens even if the
// function does not wait for the promise.
const std::string_view function_library = R"js((ask, setting) => {
  'use strict';
  const { executionParams, triggerParams } = setting;
  const { parse, stringify } = JSON;
  const called = (name, ...given) => {
    const { error, value } = ask(name, ...parse(stringify(given)));
    if (error) throw Object.assign(new Error(error.message), error);
    return value;
  };
  // A condition on undefined would match everything, so it compares with null.
  const conditions = (given) =>
    given && parse(stringify(given, (key, value) => (value === undefined ? null : value)));
  // Calls name a record by its id, or by its structure and its id.
  const named = (given) => (typeof given[1] === 'string' ? given : [null, ...given]);
  const removal = (how) => how === true || (how?.hard ?? false);
  const request = (method) => async (first, ...rest) => {
    if (typeof first !== 'string') return called('httpRequest', { method, ...first });
    const takes_body = method !== 'GET';
    const options = rest[takes_body ? 1 : 0];
    const body = takes_body ? { body: rest[0] } : {};
    return called('httpRequest', { ...options, ...body, method, url: first });
  };
  const read = async (...given) => {
    const [slug, id] = named(given);
    return called('getRecord', slug, id);
  };
  const api = {
    createRecord: async (slug, data, options) => called('createRecord', slug, data, options),
    updateRecord: async (...given) => {
      const [slug, id, data, options] = named(given);
      return called('updateRecord', slug, id, data, options);
    },
    upsertRecord: async (slug, match, data, options) =>
      called('upsertRecord', slug, conditions(match), data, options),
    deleteRecord: async (...given) => {
      const [slug, id, how] = named(given);
      return called('deleteRecord', slug, id, removal(how));
    },
    restoreRecord: async (...given) => {
      const [slug, id] = named(given);
      return called('restoreRecord', slug, id);
    },
    fetchRecord: read,
    getRecord: read,
    queryRecords: async (slug, options) => called('queryRecords', slug, conditions(options)),
    httpRequest: request('GET'),
    httpGet: request('GET'),
    httpPost: request('POST'),
  };

  const shown = (value) => {
    if (value instanceof Error) return `${value}`;
    return typeof value === 'object' ? stringify(value) : String(value);
  };
  const log = (level) => (...values) => { ask('log', level, values.map(shown).join(' ')); };
  const console = { log: log(''), info: log(''), debug: log(''), warn: log('WARN '), error: log('ERROR ') };
  Object.assign(globalThis, { api, console, executionParams, triggerParams });

  let state = 'waiting';
  let outcome;
  const { then } = Promise.prototype;
  const resolve = Promise.resolve.bind(Promise);
  const call = Function.prototype.call.bind(Function.prototype.call);
  const settle = (as) => (value) => { state = as; outcome = value; };
  globalThis.__start = (code) => {
    delete globalThis.__start;
    const run = new Function(`${code}\n;return typeof run === 'function' ? run : undefined;`)();
    if (run === undefined) return undefined;
    return () => { call(then, resolve(run()), settle('done'), settle('failed')); };
  };
  return (step) => {
    if (step === 'next') return false;
    if (state === 'failed') throw outcome;
    if (state === 'waiting') throw new Error('run() waits for what never comes');
    return outcome;
  };
})js";

std::string function_expression(std::string_view code) {
  std::string text = "__start(";
  render_json_text(code, text);
  return text + ")";
}

}  // namespace mayfly::centrali
