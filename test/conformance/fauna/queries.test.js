// Queries of Fauna's own driver: values, pages, errors.
'use strict';

const assert = require('node:assert/strict');
const { before, describe, test } = require('node:test');
const { AbortError, AuthenticationError, ConstraintFailureError, Module, QueryCheckError, QueryRuntimeError } =
  require('fauna');
const { Server, failure, fql } = require('./server');

const server = Server.forTests();

describe('queries', () => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase());
    await client.query(fql`Collection.create({ name: "Thing" })`);
  });

  test('values of all kinds come back as they were sent', async () => {
    const sent = { int: 1, long: 12345678901234n, double: 1.5, text: 'a "b" #{c}', no: null, yes: true,
      list: [1, 'x', [true]], nested: { '@tag': 1 } };
    const { data } = await client.query(fql`${sent}`);
    assert.deepEqual(data, { ...sent, long: 12345678901234 });
  });

  test('a value is never text of the query', async () => {
    const { data } = await client.query(fql`${'abort("no")'}.length`);
    assert.equal(data, 11);
  });

  test('queries are parts of queries', async () => {
    const half = fql`1 + 1`;
    assert.equal((await client.query(fql`(${half}) * 2`)).data, 4);
    assert.deepEqual((await client.query(fql`${[half, { a: half }]}`)).data, [2, { a: 2 }]);
  });

  test('a set is read page by page, and what is made meanwhile stays out', async () => {
    await client.query(fql`Set.sequence(0, 40).forEach(n => Thing.create({ n: n }))`);
    const numbers = [];
    let pages = 0;
    for await (const page of client.paginate(fql`Thing.all()`)) {
      if (++pages === 1) await client.query(fql`Thing.create({ n: 1000 })`);
      numbers.push(...page.map((thing) => thing.n));
    }
    assert.deepEqual(numbers, Array.from({ length: 40 }, (_, n) => n));
    assert.equal(pages, 3);
  });

  test('many queries share a connection', async () => {
    const asked = Array.from({ length: 50 }, (_, n) => client.query(fql`${n} * 2`));
    assert.deepEqual((await Promise.all(asked)).map(({ data }) => data), asked.map((_, n) => n * 2));
  });

  test('each failure is of its class', async () => {
    assert.ok((await failure(client.query(fql`happy little fox`))) instanceof QueryCheckError);
    const aborted = await failure(client.query(fql`abort({ why: 1 })`));
    assert.ok(aborted instanceof AbortError);
    assert.deepEqual(aborted.abort, { why: 1 });
    const missing = await failure(client.query(fql`Thing.byId("1")!.a`));
    assert.ok(missing instanceof QueryRuntimeError);
    assert.equal(missing.code, 'document_not_found');
    const refused = await failure(server.client('wrong').query(fql`1`));
    assert.ok(refused instanceof AuthenticationError);
  });

  test('a name that is taken is told with its path', async () => {
    const create = fql`Function.create({ name: "double", body: "x => x * 2" })`;
    await client.query(create);
    const taken = await failure(client.query(create));
    assert.ok(taken instanceof ConstraintFailureError);
    assert.deepEqual(taken.constraint_failures[0].paths, [['name']]);
    assert.equal((await client.query(fql`double(4)`)).data, 8);
  });

  test('modules and documents are the driver\'s own', async () => {
    const { data } = await client.query(fql`Thing.create({ a: 1 })`);
    assert.ok(data.coll instanceof Module);
    assert.equal((await client.query(fql`${data}.a`)).data, 1);
    assert.equal((await client.query(fql`${data} == Thing.byId(${data.id})`)).data, true);
  });

  test('what a schema is, every next query knows', async () => {
    const made = await client.query(fql`Collection.create({ name: "Later" })`);
    assert.equal((await client.query(fql`1`)).schema_version, made.txn_ts);
  });
});
