// Lifetimes through Fauna's own driver, under a clock that the test moves.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { ConstraintFailureError, NullDocument, TimeStub } = require('fauna');
const { Server, failure, follow, fql, overEachTransport } = require('./server');

const day = 24 * 60 * 60;
const server = Server.forTests();

overEachTransport('lifetimes', (transport) => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "Customer" })`);
    await client.query(fql`Collection.create({ name: "Session", ttl_days: 1 })`);
  });

  const data = async (query) => (await client.query(query)).data;
  const exists = ({ id }) => data(fql`Customer.byId(${id}).exists()`);

  test('a document with a ttl of 60 days is there for 60 days', async () => {
    const made = await data(fql`Customer.create({
      name: "John Doe",
      address: { city: "Washington" },
      ttl: Time.now().add(60, "days")
    })`);
    assert.ok(made.ttl instanceof TimeStub);
    await server.advanceSeconds(60 * day - 1);
    assert.equal(await exists(made), true);
    await server.advanceSeconds(1);
    assert.equal(await exists(made), false);
    assert.ok((await data(fql`Customer.byId(${made.id})`)) instanceof NullDocument);
    assert.equal((await failure(client.query(fql`${made}.update({})`))).code, 'document_not_found');
    assert.equal((await failure(client.query(fql`${made}.delete()`))).code, 'document_not_found');
    assert.equal((await failure(client.query(fql`at (Time(${made.ts.isoString})) { Customer.byId(${made.id}) == null }`)))
      .httpStatus, 400);  // beyond what is kept
    assert.equal((await data(fql`Customer.create({ id: ${made.id}, again: true })`)).again, true);
  });

  test('a ttl is read as it was written, is extended, shortened, kept, replaced and cleared', async () => {
    const precise = TimeStub.from('3000-01-01T00:00:00.123456789Z');
    const made = await data(fql`Customer.create({ n: 1, ttl: ${precise} })`);
    assert.deepEqual(made.ttl, precise);
    assert.deepEqual((await data(fql`${made}.update({ n: 2 })`)).ttl, precise);
    assert.deepEqual((await data(fql`${made}.update({ ttl: ${new Date('3001-01-01T00:00:00Z')} })`)).ttl.isoString, '3001-01-01T00:00:00Z');
    await client.query(fql`${made}.update({ ttl: Time.now().add(10, "seconds") })`);
    await server.advanceSeconds(9);
    await client.query(fql`${made}.update({ ttl: Time.now().add(10, "seconds") })`);
    await server.advanceSeconds(9);
    assert.equal(await exists(made), true);
    assert.equal((await data(fql`${made}.update({ ttl: null })`)).ttl, undefined);
    await server.advanceSeconds(day);
    assert.equal(await data(fql`${made}.ttl`), null);
    await client.query(fql`${made}.update({ ttl: ${precise} })`);
    assert.equal((await data(fql`${made}.replace({ n: 3 })`)).ttl, undefined);
    await client.query(fql`${made}.update({ ttl: ${precise} })`);
    await client.query(fql`${made}.updateData({ ttl: "mine" })`);
    const both = await data(fql`${made}`);
    assert.deepEqual([both.ttl, both.data], [precise, { ttl: 'mine' }]);
  });

  test('a ttl that is none is refused, and one that has passed leaves nothing', async () => {
    for (const [value, type] of [['soon', 'String'], [5, 'Int'], [true, 'Boolean']]) {
      const error = await failure(client.query(fql`Customer.create({ ttl: ${value} })`));
      assert.ok(error instanceof ConstraintFailureError);
      assert.deepEqual(error.constraint_failures, [{ paths: [['ttl']], message: `Expected Time | Null, provided ${type}` }]);
    }
    assert.ok((await data(fql`Customer.create({ id: 500, ttl: Time.now() })`)) instanceof NullDocument);
    assert.ok((await data(fql`Customer.create({ id: 500, ttl: Time("2001-01-01T00:00:00Z") })`)) instanceof NullDocument);
    assert.equal((await data(fql`Customer.create({ id: 500 })`)).id, '500');
  });

  test('ttl_days slides with each write, and null ends it', async () => {
    const made = await data(fql`Session.create({})`);
    await server.advanceSeconds(day / 2);
    await client.query(fql`${made}.update({ seen: true })`);
    await server.advanceSeconds(day - 1);
    assert.equal(await data(fql`Session.byId(${made.id}).exists()`), true);
    assert.equal(await data(fql`${made}.update({}); Session.byId(${made.id})!.ttl == Time.now().add(1, "day")`), true);
    assert.equal(await data(fql`${made}.replace({ a: 1 }); Session.byId(${made.id})!.ttl == Time.now().add(1, "day")`), true);
    const longer = await data(fql`Session.create({ ttl: Time.now().add(10, "days") })`);
    await client.query(fql`${made}.update({ ttl: null })`);
    await server.advanceSeconds(9 * day);
    assert.equal(await data(fql`Session.byId(${made.id})!.ttl`), null);
    assert.equal(await data(fql`Session.byId(${longer.id}).exists()`), true);
    await server.advanceSeconds(day);
    assert.equal(await data(fql`Session.byId(${longer.id}).exists()`), false);
  });

  test('ttl_days leaves the documents that are there', async () => {
    await client.query(fql`Collection.create({ name: "Changing" })`);
    const old = await data(fql`Changing.create({})`);
    await client.query(fql`Changing.definition.update({ ttl_days: 1 })`);
    const young = await data(fql`Changing.create({})`);
    await client.query(fql`Changing.definition.update({ ttl_days: null })`);
    const late = await data(fql`Changing.create({})`);
    await server.advanceSeconds(2 * day);
    assert.deepEqual(await data(fql`[${old}.exists(), ${young}.exists(), ${late}.exists()]`), [true, false, true]);
  });

  test('document_ttls says whether a ttl may be written', async () => {
    await client.query(fql`Collection.create({ name: "Declared", fields: { n: { signature: "Int?" } } })`);
    await client.query(fql`Collection.create({ name: "Allowed", fields: { n: { signature: "Int?" } }, document_ttls: true })`);
    await client.query(fql`Collection.create({ name: "Refused", document_ttls: false, ttl_days: 1 })`);
    for (const name of ['Declared', 'Refused']) {
      const error = await failure(client.query(fql`Collection(${name}).create({ ttl: Time.now().add(1, "day") })`));
      assert.ok(error instanceof ConstraintFailureError, error.message);
      assert.deepEqual(error.constraint_failures[0].paths, [['ttl']]);
    }
    assert.ok((await data(fql`Allowed.create({ ttl: Time.now().add(1, "day") })`)).ttl);
    const stamped = await data(fql`Refused.create({})`);
    assert.ok(stamped.ttl);
    await client.query(fql`Allowed.definition.update({ document_ttls: false })`);
    await server.advanceSeconds(day);
    assert.deepEqual(await data(fql`[Allowed.all().count(), ${stamped}.exists()]`), [0, false]);
  });

  test('checks enforce a policy of lifetimes', async () => {
    await client.query(fql`Collection.create({ name: "Product", constraints: [{ check: {
      name: "ttlPolicy", body: "(.ttl == null || .ttl?.difference(Time.now(), 'days') <= 30)" } }] })`);
    await client.query(fql`Product.create({}); Product.create({ ttl: Time.now().add(30, "days") })`);
    const error = await failure(client.query(fql`Product.create({ ttl: Time.now().add(60, "days") })`));
    assert.deepEqual(error.constraint_failures, [{ paths: [], message: 'Document failed check constraint `ttlPolicy`' }]);
  });

  test('what was alive is seen at its time', async () => {
    const { id } = await data(fql`Customer.create({ n: 1, ttl: Time.now().add(60, "seconds") })`);
    await server.advanceSeconds(30);
    const then = (await data(fql`Time.now()`)).isoString;
    await client.query(fql`Customer.byId(${id})!.update({ n: 2 })`);
    await server.advanceSeconds(60);
    assert.deepEqual(await data(fql`at (Time(${then})) { [Customer.byId(${id})!.n, Customer.where(.id == ${id}).count()] }`), [1, 1]);
    assert.equal(await data(fql`at (Time(${then}).add(1, "second")) { Customer.byId(${id})!.n }`), 2);
    assert.equal(await data(fql`at (Time.now().subtract(1, "second")) { Customer.byId(${id}) == null }`), true);
    assert.equal(await data(fql`Customer.byId(${id}) == null`), true);
    assert.equal((await failure(client.query(fql`at (Time.now().add(1, "second")) { 1 }`))).code, 'invalid_argument');
    assert.equal((await failure(client.query(fql`at (Time(${then})) { Customer.create({}) }`))).code, 'invalid_write');
  });

  test('history is kept for as many days as a collection says', async () => {
    await client.query(fql`Collection.create({ name: "Kept", history_days: 2 }); Collection.create({ name: "Short" })`);
    const ids = await data(fql`[Kept.create({ n: 1 }).id, Short.create({ n: 1 }).id]`);
    const then = (await data(fql`Time.now()`)).isoString;
    await client.query(fql`Kept.byId(${ids[0]})!.update({ n: 2 }); Short.byId(${ids[1]})!.delete()`);
    await server.advanceSeconds(14 * 60);
    assert.equal(await data(fql`at (Time(${then})) { Short.byId(${ids[1]})!.n }`), 1);
    await server.advanceSeconds(day);
    assert.equal(await data(fql`at (Time(${then})) { Kept.byId(${ids[0]})!.n }`), 1);
    assert.match((await failure(client.query(fql`at (Time(${then})) { Short.byId(${ids[1]}) }`))).message, /^Requested timestamp /);
    await server.advanceSeconds(day + 16 * 60);
    assert.equal((await failure(client.query(fql`at (Time(${then})) { Kept.byId(${ids[0]}) }`))).code, 'invalid_request');
  });

  test('existing documents get a ttl page by page', async () => {
    await client.query(fql`Collection.create({ name: "Old" })`);
    await client.query(fql`Set.sequence(0, 30).forEach(n => Old.create({ n: n }))`);
    const first = await data(fql`
      let page = Old.all().where(.ttl == null).pageSize(20).paginate()
      let data = page.data
      data.forEach(document => document.update({ ttl: document.ts.add(365, "days") }))
      page { after }`);
    const second = await data(fql`
      let page = Set.paginate(${first.after})
      let data = page.data
      data.forEach(document => document.update({ ttl: document.ts.add(365, "days") }))
      page { after }`);
    assert.equal(second.after, null);
    assert.equal(await data(fql`Old.all().where(.ttl == null).count()`), 0);
  });

  test('pages, counts, indexes and unique constraints know nothing of what has expired', async () => {
    await client.query(fql`Collection.create({ name: "Fading", constraints: [{ unique: ["n"] }],
      indexes: { byKind: { terms: [{ field: "kind" }] }, byTtl: { values: [{ field: "ttl" }] } } })`);
    await client.query(fql`Set.sequence(0, 40).forEach(n => Fading.create({ n: n, kind: "a",
      ttl: if (n < 20) null else Time.now().add(2, "seconds") }))`);
    assert.equal(await data(fql`Fading.byTtl({ to: Time.now().add(2, "seconds") }).count()`), 20);
    const numbers = [];
    let isFirst = true;
    for await (const page of client.paginate(fql`Fading.all().map(.n)`)) {
      numbers.push(...page);
      if (isFirst) await server.advanceSeconds(2);
      isFirst = false;
    }
    assert.deepEqual(numbers, Array.from({ length: 20 }, (_, n) => n));
    assert.deepEqual(await data(fql`[Fading.all().count(), Fading.byKind("a").count(), Fading.where(.n >= 20).isEmpty()]`), [20, 20, true]);
    await client.query(fql`Fading.create({ n: 20 })`);
    assert.ok((await failure(client.query(fql`Fading.create({ n: 20 })`))) instanceof ConstraintFailureError);
  });

  test('no event tells of what expires', async () => {
    const { data: source } = await client.query(fql`Customer.all().map(.n).eventSource()`);
    const follower = await follow(client.stream(source, { status_events: true }));
    await client.query(fql`Customer.create({ n: 1, ttl: Time.now().add(10, "seconds") })`);
    await server.advanceSeconds(11);
    await client.query(fql`Customer.create({ n: 2 })`);
    const shown = [['add', 1], ['add', 2]];
    assert.deepEqual((await follower.take(2)).map(({ type, data: n }) => [type, n]), shown);
    follower.close();
    const fed = [];
    for await (const { type, data: n } of client.feed(source).flatten()) fed.push([type, n]);
    assert.deepEqual(fed, shown);
  });

  test('a reference to what has expired is one to nothing', async () => {
    const { id } = await data(fql`Customer.create({ friend: Customer.create({ x: 1, ttl: Time.now().add(5, "seconds") }) })`);
    assert.equal(await data(fql`Customer.byId(${id})!.friend.x`), 1);
    await server.advanceSeconds(5);
    assert.deepEqual(await data(fql`let c = Customer.byId(${id})!; [c.friend == null, c.friend?.x ?? "gone"]`), [true, 'gone']);
  });
});
