// Values of every kind, sent and shown, by Fauna's own driver.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { ClientError, DateStub, Document, DocumentReference, EmbeddedSet, Module, NamedDocument, NamedDocumentReference,
  NullDocument, Page, StreamToken, TimeStub } = require('fauna');
const { Server, failure, fql, overEachTransport } = require('./server');

const server = Server.forTests();

// What comes back as it was sent.
const SAME = {
  'nothing': null,
  'yes and no': [true, false],
  'texts': ['', 'plain', 'a "b" \'c\' \\ #{x} `d`', 'line\nline\r\n\ttab', 'grüße, 日本語, 🎉', '\u2028'],
  'the bounds of Int': [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)],
  'Long that JavaScript counts exactly': [2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  'Double': [0.5, -1.25e-9, 1.7976931348623157e308, 5e-324, 1e300],
  'a time with nanoseconds': TimeStub.from('2024-01-02T03:04:05.123456789Z'),
  'a time without a fraction': TimeStub.from('1969-12-31T23:59:59Z'),
  'a date': DateStub.from('2024-02-29'),
  'bytes': Uint8Array.from([0, 1, 127, 128, 255]),
  'a module': new Module('Math'),
  'a collection': new Module('Thing'),
  'objects': { a: { b: { c: [] } }, 'a b': 1, 'if': 2, '': 3 },
  'members that look like tags': { '@tagged': 'x', nested: { '@other': [{ '@': true }] } },
  'arrays in arrays': [[], [[1, [2, [3]]]], [{ a: [null] }]],
};

overEachTransport('values', (transport) => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "Thing" })`);
    await client.query(fql`Function.create({ name: "same", body: "x => x" })`);
  });

  const data = async (query, options) => (await client.query(query, options)).data;

  for (const [name, value] of Object.entries(SAME)) {
    test(`${name}: in a template, as an argument, through a function and out of a document`, async () => {
      assert.deepEqual(await data(fql`${value}`), value);
      assert.deepEqual(await data(fql`given`, { arguments: { given: value } }), value);
      assert.deepEqual(await data(fql`same(${value})`), value);
      if (value === null) return;
      const { id } = await data(fql`Thing.create({ value: ${value} })`);
      assert.deepEqual(await data(fql`Thing.byId(${id})!.value`), value);
    });
  }

  test('a number beyond what JavaScript counts exactly needs bigint', async () => {
    const long = { long_type: 'bigint' };
    for (const value of [9223372036854775807n, -9223372036854775808n, 2n ** 53n + 1n]) {
      assert.equal(await data(fql`${value}`, long), value);
      assert.equal(await data(fql`given`, { arguments: { given: value }, ...long }), value);
    }
    assert.equal(await data(fql`${2n ** 60n} + ${2n ** 60n}`, long), 2n ** 61n);
    assert.equal(await data(fql`${5n}`, long), 5);
  });

  test('numbers that are none are shown as such', async () => {
    assert.deepEqual(await data(fql`[Math.NaN, Math.Infinity, -Math.Infinity]`), [NaN, Infinity, -Infinity]);
    assert.equal(await data(fql`-1.0 / 0`), -Infinity);
  });

  test('kinds of numbers are kept apart', async () => {
    assert.deepEqual(await data(fql`[${1} isa Int, ${2 ** 40} isa Long, ${1.5} isa Double, ${1} isa Double]`),
      [true, true, true, false]);
  });

  test('what JavaScript has another form for comes back in the driver\'s own', async () => {
    assert.deepEqual(await data(fql`${new Date('2024-01-02T03:04:05.600Z')}`), TimeStub.from('2024-01-02T03:04:05.600Z'));
    assert.deepEqual(await data(fql`${TimeStub.from('2024-01-02T03:04:05+05:00')}`), TimeStub.from('2024-01-01T22:04:05Z'));
    assert.deepEqual(await data(fql`${Uint8Array.from([1, 2]).buffer}`), Uint8Array.from([1, 2]));
    assert.deepEqual(await data(fql`${{ a: undefined, b: 1 }}`), { b: 1 });
    assert.deepEqual(await data(fql`x`, { arguments: { x: { a: undefined, b: [{ c: undefined }] } } }), { b: [{}] });
    assert.equal(await data(fql`Bytes(${'AQI='}).toBase64()`), 'AQI=');
    // The driver reads no bytes as an object.
    assert.deepEqual(await data(fql`${new Uint8Array()}`), { '@bytes': '' });
    assert.equal(await data(fql`${new Uint8Array()} == Bytes("")`), true);
  });

  test('what is no value is refused before it is sent', async () => {
    for (const value of [Infinity, -Infinity, 2n ** 63n, new Uint16Array(2)]) {
      assert.ok((await failure((async () => client.query(fql`${value}`))())) instanceof Error, String(value));
    }
    const page = await data(fql`[1, 2].toSet().paginate(1)`);
    assert.ok((await failure((async () => client.query(fql`${new Page(page)}`))())) instanceof ClientError);
  });

  test('a document is the driver\'s own, and is sent as a reference', async () => {
    const document = await data(fql`Thing.create({ a: { b: 1 }, other: Thing.create({ n: 2 }), ttl: Time("3000-01-01T00:00:00Z") })`);
    assert.ok(document instanceof Document);
    assert.deepEqual(document.coll, new Module('Thing'));
    assert.match(document.id, /^\d+$/);
    assert.ok(document.ts instanceof TimeStub);
    assert.deepEqual(document.ttl, TimeStub.from('3000-01-01T00:00:00Z'));
    assert.ok(document.other instanceof DocumentReference && !(document.other instanceof Document));
    assert.deepEqual(await data(fql`${document}.a`), { b: 1 });
    assert.equal(await data(fql`${document.other}.n`), 2);
    assert.equal(await data(fql`given == Thing.byId(${document.id})`, { arguments: { given: document } }), true);
    const [whole] = await data(fql`[${new DocumentReference({ coll: document.coll, id: document.id })}]`);
    assert.deepEqual(whole.toObject(), document.toObject());
  });

  test('a document that is missing is a null document with its cause', async () => {
    for (const missing of [await data(fql`Thing.byId(404)`), await data(fql`${new DocumentReference({ coll: 'Thing', id: '404' })}`)]) {
      assert.ok(missing instanceof NullDocument);
      assert.equal(missing.cause, 'not found');
      assert.deepEqual(missing.ref, new DocumentReference({ coll: 'Thing', id: '404' }));
      assert.equal(await data(fql`${missing} == null`), true);
    }
    assert.equal((await data(fql`Thing.create({ id: 405 }).delete()`)).cause, 'deleted');
    const named = await data(fql`Collection.byName("Nothing")`);
    assert.ok(named instanceof NullDocument && named.ref instanceof NamedDocumentReference);
    assert.equal(named.ref.name, 'Nothing');
  });

  test('a definition is a named document', async () => {
    const named = await data(fql`Collection.byName("Thing")`);
    assert.ok(named instanceof NamedDocument);
    assert.equal(named.name, 'Thing');
    assert.deepEqual(named.coll, new Module('Collection'));
    assert.ok(named.ts instanceof TimeStub);
    assert.equal(named.history_days, 0);
    assert.deepEqual(await data(fql`${named}.name`), 'Thing');
    assert.equal(await data(fql`${new NamedDocumentReference({ coll: 'Collection', name: 'Thing' })}.exists()`), true);
    const withData = await data(fql`Collection.create({ name: "Annotated", data: { owner: "me" } })`);
    assert.deepEqual(withData.data, { owner: 'me' });
  });

  test('sets, pages and event sources are the driver\'s own', async () => {
    const page = await data(fql`Set.sequence(0, 20)`);
    assert.ok(page instanceof Page && page.data.length === 16 && typeof page.after === 'string');
    const { a: { b: [inner] } } = await data(fql`{ a: { b: [[1, 2].toSet()] } }`);
    assert.ok(inner instanceof Page);
    assert.deepEqual(inner.data, [1, 2]);
    let deep = fql`[1, 2, 3].toSet()`;
    for (let i = 0; i < 11; ++i) deep = fql`[${deep}].toSet()`;
    let found = await data(deep);
    while (found instanceof Page) [found] = found.data;
    assert.ok(found instanceof EmbeddedSet);
    const pages = [];
    for await (const one of client.paginate(found)) pages.push(one);
    assert.deepEqual(pages, [[1, 2, 3]]);
    const source = await data(fql`Thing.all().eventSource()`);
    assert.ok(source instanceof StreamToken && source.token.length > 0);
  });

  test('functions are shown as what they are', async () => {
    assert.equal(await data(fql`Thing.all`), '[function all()]');
    assert.equal(await data(fql`x => x`), '[function <lambda>]');
  });

  test('the other formats are asked for by name', async () => {
    const value = { a: [1, 2.5], when: TimeStub.from('2024-01-01T00:00:00Z') };
    assert.deepEqual(await data(fql`${value}`, { format: 'simple' }), { a: [1, 2.5], when: '2024-01-01T00:00:00Z' });
    assert.equal(await data(fql`${value}`, { format: 'decorated' }),
      '{\n  a: [\n    1,\n    2.5\n  ],\n  when: Time("2024-01-01T00:00:00Z")\n}');
    const simple = server.client(client.clientConfiguration.secret, { transport, format: 'simple' });
    const { data: made } = await simple.query(fql`Thing.create({ id: 77, friend: Thing.byId(405), bytes: Bytes("AQI=") })`);
    assert.deepEqual({ ...made, ts: typeof made.ts }, { id: '77', coll: 'Thing', ts: 'string',
      friend: { id: '405', coll: 'Thing' }, bytes: 'AQI=' });
    assert.equal((await simple.query(fql`Thing.byId(405)`)).data, null);
  });
});
