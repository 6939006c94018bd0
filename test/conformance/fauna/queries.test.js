// Queries of Fauna's own driver: templates, arguments, documents, functions.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { Document, Module } = require('fauna');
const { Server, failure, fql, overEachTransport } = require('./server');

const server = Server.forTests();

overEachTransport('queries', (transport) => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "Thing" })`);
  });

  const data = async (query, options) => (await client.query(query, options)).data;

  test('a value is never text of the query', async () => {
    assert.equal(await data(fql`${'abort("no")'}.length`), 11);
    assert.equal(await data(fql`${'#{1 + 1}'}`), '#{1 + 1}');
    const { data: [found] } = await data(fql`Thing.where(.name == ${'x" || true || "'}).toArray().concat(["none"]).toSet()`);
    assert.equal(found, 'none');
  });

  test('queries are parts of queries', async () => {
    const half = fql`1 + 1`;
    assert.equal(await data(fql`(${half}) * 2`), 4);
    assert.deepEqual(await data(fql`${[half, { a: half }, [[half]]]}`), [2, { a: 2 }, [[2]]]);
    const condition = (n) => fql`(.n > ${n})`;
    await client.query(fql`[1, 2, 3].forEach(n => Thing.create({ kind: "part", n: n }))`);
    assert.equal(await data(fql`Thing.where(.kind == "part").where(${condition(1)}).count()`), 2);
    const twice = (inner) => fql`${inner} + ${inner}`;
    assert.equal(await data(twice(twice(twice(fql`1`)))), 8);
  });

  test('parts are put together by the client', async () => {
    const parts = ['Thing.all()', '.where(.kind == "part")', '.map(.n)', '.toArray()'].map((text) => fql([text]));
    const whole = parts.reduce((before, part) => fql`${before}${part}`);
    assert.deepEqual(await data(whole), [1, 2, 3]);
    assert.equal(await data(fql(['', ' + ', ''], 1, 2)), 3);
  });

  test('many lines, comments and blanks are a query', async () => {
    assert.equal(await data(fql`
      // The first line.
      let a = 1  /* and /* nested */ ones */
      let b = {
        2
      }

      a + b * Math.abs(-5.123e3)
    `), 10247);
  });

  test('arguments are names of the query', async () => {
    const given = { foo: { double: 4.14, int: 32, string: 'foo', null: null, object: { foo: 'bar' }, array: [10],
      '@tagged': 'tagged' } };
    assert.deepEqual(await data(fql`foo`, { arguments: given }), given.foo);
    assert.equal(await data(fql`a + b.c`, { arguments: { a: 1, b: { c: 2 } } }), 3);
    const shadowed = await data(fql`let a = 5; a`, { arguments: { a: 1 } });
    assert.equal(shadowed, 5);
    assert.equal((await failure(client.query(fql`a`, { arguments: { b: 1 } }))).httpStatus, 400);
  });

  test('documents are made, changed, replaced and deleted', async () => {
    const made = await data(fql`Thing.create({ name: "a", address: { city: "x", zip: "1" }, tags: [1, null] })`);
    assert.ok(made instanceof Document);
    const { id } = made;
    const changed = await data(fql`${made}.update({ address: { zip: null, street: "s" }, tags: [3] })`);
    assert.deepEqual(changed.address, { city: 'x', street: 's' });
    assert.deepEqual([changed.name, changed.tags], ['a', [3]]);
    assert.ok(changed.ts.isoString > made.ts.isoString);
    const replaced = await data(fql`Thing.byId(${id})!.replace({ n: 1 })`);
    assert.deepEqual([replaced.n, replaced.name, replaced.address, replaced.tags], [1, undefined, undefined, undefined]);
    await client.query(fql`Thing.byId(${id})!.updateData({ ts: "mine" })`);
    const { data: under } = await data(fql`Thing.byId(${id})`);
    assert.deepEqual(under, { ts: 'mine' });
    await client.query(fql`Thing.byId(${id})!.delete()`);
    assert.equal(await data(fql`Thing.byId(${id}).exists()`), false);
    assert.equal((await failure(client.query(fql`Thing.byId(${id})!`))).code, 'document_not_found');
  });

  test('a query writes all or nothing, and sees what it has written', async () => {
    const counted = () => data(fql`Thing.where(.kind == "all").count()`);
    const aborted = fql`Thing.create({ kind: "all" }); if (Thing.where(.kind == "all").count() == 1) abort("seen")`;
    assert.equal((await failure(client.query(aborted))).abort, 'seen');
    assert.equal(await counted(), 0);
    assert.equal(await data(fql`
      [{ n: 1 }, { n: 2 }].map(each => Thing.create({ kind: "all", n: each.n }))
      Thing.where(.kind == "all").count()`), 2);
    assert.equal(await counted(), 2);
  });

  test('what is missing is null in each way that FQL has for it', async () => {
    assert.deepEqual(await data(fql`
      let gone = Thing.byId(404)
      [gone == null, gone?.a.b, gone ?? "or", gone { a }, gone.exists(), gone.id]`),
    [true, null, 'or', null, false, '404']);
    assert.equal((await failure(client.query(fql`Thing.byId(404)!.a`))).code, 'document_not_found');
    assert.equal((await failure(client.query(fql`null.a`))).code, 'invalid_null_access');
    assert.equal((await failure(client.query(fql`({}).a!`))).code, 'null_value');
  });

  test('results are projected', async () => {
    await client.query(fql`Thing.create({ id: 9001, a: { b: 1, c: 2 }, list: [{ d: 1, e: 2 }] })`);
    assert.deepEqual(await data(fql`Thing.byId(9001) { id, a { b }, list { d }, sum: .a.b + .a.c, missing }`),
      { id: '9001', a: { b: 1 }, list: [{ d: 1 }], sum: 3, missing: null });
  });

  test('functions are made, called, changed and deleted', async () => {
    const { name } = await data(fql`Function.create({ name: "double", body: "x => x * 2", data: { by: "me" } })`);
    assert.equal(name, 'double');
    assert.equal(await data(fql`double(4)`), 8);
    assert.equal(await data(fql`[1, 2].map(double)[1]`), 4);
    await client.query(fql`Function.byName("double")!.update({ body: "(x, y) => x * 2 + y" })`);
    assert.equal(await data(fql`double(4, 1)`), 9);
    assert.equal((await failure(client.query(fql`double(4)`))).code, 'invalid_function_invocation');
    await client.query(fql`Function.create({ name: "endless", body: "x => endless(x + 1)" })`);
    assert.equal((await failure(client.query(fql`endless(0)`))).code, 'stack_overflow');
    await client.query(fql`Function.byName("double")!.delete()`);
    assert.equal((await failure(client.query(fql`double(4, 1)`))).httpStatus, 400);
    assert.deepEqual(await data(fql`Function.all().map(.name).toArray()`), ['endless']);
  });

  test('modules are values', async () => {
    const thing = new Module('Thing');
    const made = await data(fql`${thing}.create({ a: 1 })`);
    assert.deepEqual(made.coll, thing);
    assert.equal(await data(fql`${made}.a`), 1);
    assert.equal(await data(fql`${made} == ${thing}.byId(${made.id})`), true);
    assert.equal((await failure(client.query(fql`${new Module('Nowhere')}`))).code, 'invalid_query');
  });

  test('types may be checked', async () => {
    assert.equal((await client.query(fql`if (true) { 42 } else { 41 }`, { typecheck: true })).data, 42);
    assert.equal((await failure(client.query(fql`2 + "2"`, { typecheck: false }))).code, 'invalid_argument');
  });

  test('many queries share a connection', async () => {
    const asked = Array.from({ length: 50 }, (_, n) => data(fql`${n} * 2`));
    assert.deepEqual(await Promise.all(asked), asked.map((_, n) => n * 2));
  });

  test('large texts go both ways', async () => {
    const text = 'x'.repeat(1_000_000);
    const { id } = await data(fql`Thing.create({ text: ${text} })`);
    assert.equal(await data(fql`Thing.byId(${id})!.text`), text);
  });
});
