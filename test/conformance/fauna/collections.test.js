// Definitions of collections through Fauna's own driver: fields, computed fields, checks, unique constraints, indexes.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { ConstraintFailureError, NamedDocument, NullDocument } = require('fauna');
const { Server, failure, fql, overEachTransport } = require('./server');

const server = Server.forTests();

overEachTransport('collections', (transport) => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase({ transport }));
  });

  const data = async (query, options) => (await client.query(query, options)).data;
  // [path, message] of each rule that a query breaks.
  async function broken(query) {
    const error = await failure(client.query(query));
    assert.ok(error instanceof ConstraintFailureError, `${error.name}: ${error.message}`);
    return error.constraint_failures.map(({ paths, message }) => [paths, message]);
  }

  test('a definition is read back', async () => {
    const made = await data(fql`Collection.create({ name: "Read", fields: { a: { signature: "Int" } }, ttl_days: 5,
      history_days: 2, constraints: [{ unique: ["a"] }], indexes: { byA: { terms: [{ field: ".a" }] } } })`);
    assert.ok(made instanceof NamedDocument);
    const read = await data(fql`Read.definition`);
    assert.deepEqual(read.toObject(), made.toObject());
    assert.deepEqual([read.ttl_days, read.history_days, read.document_ttls ?? null], [5, 2, null]);
    assert.deepEqual([read.indexes.byA.queryable, read.indexes.byA.status], [true, 'complete']);
    assert.equal(read.constraints[0].status, 'active');
    assert.deepEqual(await data(fql`Collection.all().map(.name).toArray()`), ['Read']);
    assert.equal(await data(fql`Collection("Read").definition.name`), 'Read');
  });

  test('fields have types and defaults', async () => {
    await client.query(fql`Collection.create({ name: "Typed", fields: {
      name: { signature: "String" },
      age: { signature: "Int?" },
      state: { signature: '"new" | "old"', default: '"new"' },
      address: { signature: "{ city: String, tags: Array<String> }?" },
      friend: { signature: "Ref<Typed>?" } } })`);
    const made = await data(fql`Typed.create({ name: "a", address: { city: "x", tags: ["y"] } })`);
    assert.deepEqual([made.state, made.address], ['new', { city: 'x', tags: ['y'] }]);
    assert.equal((await data(fql`Typed.create({ name: "b", friend: ${made} })`)).friend.id, made.id);
    assert.deepEqual(await broken(fql`Typed.create({})`), [[[['name']], 'Missing required field of type String']]);
    assert.deepEqual(await broken(fql`Typed.create({ name: 1 })`), [[[['name']], 'Expected String, provided Int']]);
    assert.deepEqual(await broken(fql`Typed.create({ name: "a", more: 1 })`), [[[['more']], 'Unexpected field provided']]);
    assert.deepEqual(await broken(fql`Typed.create({ name: "a", address: { city: "x", tags: ["y", 1] } })`), [
      [[['address', 'tags', 1]], 'Expected String, provided Int']]);
    assert.deepEqual((await broken(fql`${made}.update({ state: "gone" })`))[0][0], [['state']]);
    assert.deepEqual((await broken(fql`${made}.update({ name: null })`))[0][0], [['name']]);
    assert.equal((await data(fql`${made}.replace({ name: "c" })`)).state, 'new');
  });

  test('a wildcard takes what is not declared', async () => {
    await client.query(fql`Collection.create({ name: "Wild", fields: { n: { signature: "Int" } }, wildcard: "Any" })`);
    assert.deepEqual((await data(fql`Wild.create({ n: 1, more: ["x"] })`)).more, ['x']);
    assert.deepEqual((await broken(fql`Wild.create({ more: 1 })`))[0][0], [['n']]);
  });

  test('computed fields are shown and not written', async () => {
    await client.query(fql`Collection.create({ name: "Sum", computed_fields: {
      total: { body: "doc => doc.a + doc.b", signature: "Number" }, same: { body: "(.total)" } } })`);
    const made = await data(fql`Sum.create({ a: 1, b: 2 })`);
    assert.deepEqual([made.total, made.same], [3, 3]);
    await client.query(fql`${made}.update({ b: 5 })`);
    assert.deepEqual(await data(fql`[Sum.where(.total == 3).count(), Sum.where(.same == 6).count()]`), [0, 1]);
    assert.deepEqual(await broken(fql`Sum.create({ total: 1 })`), [[[['total']], 'Cannot write to a computed field']]);
  });

  test('checks refuse, in the order of their declaration', async () => {
    await client.query(fql`Collection.create({ name: "Checked", constraints: [
      { check: { name: "positive", body: "(.n > 0)" } }, { check: { name: "even", body: "doc => doc.n % 2 == 0" } }] })`);
    const made = await data(fql`Checked.create({ n: 2 })`);
    assert.deepEqual(await broken(fql`Checked.create({ n: -1 })`), [
      [[], 'Document failed check constraint `positive`'], [[], 'Document failed check constraint `even`']]);
    assert.deepEqual(await broken(fql`${made}.update({ n: 3 })`), [[[], 'Document failed check constraint `even`']]);
    assert.equal(await data(fql`${made}.n`), 2);
    await client.query(fql`Checked.definition.update({ constraints: [{ check: { name: "positive", body: "(.n > 0)" } }] })`);
    assert.equal((await data(fql`${made}.update({ n: 3 })`)).n, 3);
  });

  test('unique constraints hold within a query and between queries', async () => {
    await client.query(fql`Collection.create({ name: "User", constraints: [
      { unique: ["email"] }, { unique: [{ field: "tags", mva: true }] }, { unique: ["first", "last"] }] })`);
    const made = await data(fql`User.create({ email: "a", tags: ["x", "y"], first: "f", last: "l" })`);
    assert.deepEqual(await broken(fql`User.create({ email: "a" })`), [[[['email']], 'Failed unique constraint']]);
    assert.equal((await broken(fql`User.create({ tags: ["z", "y"] })`)).length, 1);
    assert.equal((await broken(fql`User.create({ first: "f", last: "l" })`)).length, 1);
    assert.equal((await broken(fql`User.create({ email: "b" }); User.create({ email: "b" })`)).length, 1);
    await client.query(fql`User.create({ first: "f", last: "m" }); User.create({}); User.create({})`);
    await client.query(fql`${made}.update({ email: "c" })`);
    await client.query(fql`User.create({ email: "a" })`);
    await client.query(fql`${made}.delete()`);
    await client.query(fql`User.create({ email: "c", tags: ["x"] })`);
  });

  test('indexes have terms, values, orders and several entries', async () => {
    await client.query(fql`Collection.create({ name: "Book", indexes: {
      byGenre: { terms: [{ field: "genre" }], values: [{ field: "year", order: "desc" }, { field: "title" }] },
      byTag: { terms: [{ field: "tags", mva: true }] },
      inOrder: { values: [{ field: "year" }] } } })`);
    await client.query(fql`[
      { title: "A", genre: "x", year: 2001, tags: ["p", "q"] }, { title: "C", genre: "x", year: 1999, tags: ["q"] },
      { title: "B", genre: "x", year: 2001, tags: [] }, { title: "D", genre: "y", year: 2005 }, { title: "E", genre: "x" }
    ].forEach(book => Book.create(book))`);
    const titles = (query) => data(fql`${query}.map(.title).toArray()`);
    assert.deepEqual(await titles(fql`Book.byGenre("x")`), ['E', 'A', 'B', 'C']);
    assert.deepEqual(await titles(fql`Book.byGenre("x", { from: 2001, to: 2000 })`), ['A', 'B']);
    assert.deepEqual(await titles(fql`Book.byGenre("x", { from: (2001, "B") })`), ['B', 'C']);
    assert.deepEqual(await titles(fql`Book.byTag("q")`), ['A', 'C']);
    assert.deepEqual(await titles(fql`Book.inOrder({ from: 2001, to: 2004 })`), ['A', 'B']);
    assert.deepEqual(await titles(fql`Book.byGenre("none")`), []);
    assert.equal((await failure(client.query(fql`Book.byGenre()`))).code, 'invalid_function_invocation');
  });

  test('a definition is changed, and the documents stay', async () => {
    await client.query(fql`Collection.create({ name: "Grown" })`);
    await client.query(fql`[1, 2, 3].forEach(n => Grown.create({ n: n, name: "a" }))`);
    const changed = await client.query(fql`Grown.definition.update({
      indexes: { byN: { terms: [{ field: "n" }] } }, computed_fields: { twice: { body: "(.n * 2)" } } })`);
    assert.equal((await client.query(fql`Grown.byN(2).first()!.twice`)).data, 4);
    assert.equal((await client.query(fql`1`)).schema_version, changed.txn_ts);
    await client.query(fql`Grown.definition.update({ indexes: { byN: null, byName: { terms: [{ field: "name" }] } } })`);
    assert.deepEqual(Object.keys(await data(fql`Grown.definition.indexes`)), ['byName']);
    assert.equal(await data(fql`Grown.byName("a").count()`), 3);
    assert.equal((await failure(client.query(fql`Grown.byN(2)`))).httpStatus, 400);
    assert.equal(await data(fql`Grown.definition.replace({ name: "Grown" }); 1`), 1);
    assert.deepEqual(await data(fql`Grown.definition.indexes`), {});
  });

  test('a collection is deleted with its documents', async () => {
    await client.query(fql`Collection.create({ name: "Gone" }); Collection.create({ name: "Kept" })`);
    const made = await data(fql`Gone.create({ n: 1 })`);
    await client.query(fql`Kept.create({ id: 1, friend: ${made} })`);
    await client.query(fql`Collection.byName("Gone")!.delete()`);
    assert.equal((await failure(client.query(fql`Gone.all()`))).httpStatus, 400);
    assert.equal(await data(fql`Kept.byId(1)!.friend == null`), true);
    assert.ok((await data(fql`Collection.byName("Gone")`)) instanceof NullDocument);
    await client.query(fql`Collection.create({ name: "Gone" })`);
    assert.equal(await data(fql`Gone.all().count()`), 0);
  });

  test('definitions that are none are refused', async () => {
    assert.deepEqual((await broken(fql`Collection.create({ name: "1x" })`))[0][0], [['name']]);
    assert.deepEqual(await broken(fql`Collection.create({ name: "Time" })`), [
      [[['name']], 'The identifier `Time` is reserved.']]);
    assert.deepEqual((await broken(fql`Collection.create({ name: "Read" })`))[0][0], [['name']]);
    for (const days of [fql`ttl_days: -1`, fql`ttl_days: 1.5`, fql`history_days: -1`]) {
      assert.equal((await broken(fql`Collection.create({ name: "Bad", ${days} })`)).length, 1);
    }
    assert.deepEqual((await broken(fql`Collection.create({ name: "Bad", fields: { ttl: { signature: "Time" } } })`))[0][1]
      .startsWith("The name 'ttl' is reserved"), true);
    assert.equal((await failure(client.query(fql`Collection.create({ name: "Both" }); Both.create({})`))).httpStatus, 400);
  });

  test('what is there already is not made again', async () => {
    const idempotent = fql`if (Collection.byName("Once") == null) { Collection.create({ name: "Once" }) }`;
    assert.equal((await data(idempotent)).name, 'Once');
    assert.equal(await data(idempotent), null);
  });
});
