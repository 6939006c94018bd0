// Lifetimes through Fauna's own driver, under a clock that the test moves; the same documents through
// the other APIs.
'use strict';

const assert = require('node:assert/strict');
const { before, describe, test } = require('node:test');
const { TimeStub } = require('fauna');
const { Server, failure, fql } = require('./server');

const day = 24 * 60 * 60;
const server = Server.forTests();

describe('lifetimes', () => {
  let client;
  let database;
  before(async () => {
    ({ client, name: database } = await server.freshDatabase());
    await client.query(fql`Collection.create({ name: "Customer" })`);
    await client.query(fql`Collection.create({ name: "Session", ttl_days: 1 })`);
  });

  test('a document with a ttl of 60 days is there for 60 days', async () => {
    const { data } = await client.query(fql`Customer.create({
      name: "John Doe",
      address: { city: "Washington" },
      ttl: Time.now().add(60, "days")
    })`);
    assert.ok(data.ttl instanceof TimeStub);
    await server.advanceSeconds(60 * day - 1);
    assert.equal((await client.query(fql`Customer.byId(${data.id}).exists()`)).data, true);
    await server.advanceSeconds(1);
    assert.equal((await client.query(fql`Customer.byId(${data.id}).exists()`)).data, false);
    assert.equal((await failure(client.query(fql`Customer.byId(${data.id})!.update({})`))).code, 'document_not_found');
    const before = data.ts.isoString;
    assert.equal((await client.query(fql`at (Time(${before})) { Customer.byId(${data.id}) == null }`)
      .catch((error) => error)).httpStatus, 400);  // beyond what is kept
  });

  test('ttl_days slides with each write, and null ends it', async () => {
    const { data } = await client.query(fql`Session.create({})`);
    await server.advanceSeconds(day / 2);
    await client.query(fql`Session.byId(${data.id})!.update({ seen: true })`);
    await server.advanceSeconds(day - 1);
    assert.equal((await client.query(fql`Session.byId(${data.id}).exists()`)).data, true);
    await client.query(fql`Session.byId(${data.id})!.update({ ttl: null })`);
    await server.advanceSeconds(10 * day);
    assert.equal((await client.query(fql`Session.byId(${data.id})!.ttl`)).data, null);
  });

  test('what was alive is seen at its time', async () => {
    const { data } = await client.query(fql`Customer.create({ n: 1, ttl: Time.now().add(60, "seconds") })`);
    await server.advanceSeconds(30);
    const then = (await client.query(fql`Time.now()`)).data.isoString;
    await server.advanceSeconds(60);
    const query = fql`at (Time(${then})) { Customer.byId(${data.id})!.n }`;
    assert.equal((await client.query(query)).data, 1);
    assert.equal((await client.query(fql`Customer.byId(${data.id}) == null`)).data, true);
  });

  test('existing documents get a ttl page by page', async () => {
    await client.query(fql`Collection.create({ name: "Old" })`);
    await client.query(fql`Set.sequence(0, 30).forEach(n => Old.create({ n: n }))`);
    const first = await client.query(fql`
      let page = Old.all().where(.ttl == null).pageSize(20).paginate()
      let data = page.data
      data.forEach(document => document.update({ ttl: document.ts.add(365, "days") }))
      page { after }`);
    const second = await client.query(fql`
      let page = Set.paginate(${first.data.after})
      let data = page.data
      data.forEach(document => document.update({ ttl: document.ts.add(365, "days") }))
      page { after }`);
    assert.equal(second.data.after, null);
    assert.equal((await client.query(fql`Old.all().where(.ttl == null).count()`)).data, 0);
  });

  test('a document dies in every API at once', async () => {
    const { data } = await client.query(fql`Customer.create({ a: 1, ttl: Time.now().add(100, "seconds") })`);
    const path = `v1/databases/${database}/collections/Customer/documents/${data.id}`;
    assert.equal((await server.fetchNative('GET', path)).body.data.a, 1);
    const elsewhere = () => fetch(new URL(`${database}/Customer/${data.id}`, server.kuzzle));
    assert.deepEqual((await (await elsewhere()).json()).result._source, { a: 1 });
    await server.advanceSeconds(100);
    assert.equal((await server.fetchNative('GET', path)).status, 404);
    assert.equal((await elsewhere()).status, 404);
    await server.fetchNative('PUT', `${path}?ttl=50`, { a: 2 });
    assert.equal((await client.query(fql`Customer.byId(${data.id})!.a`)).data, 2);
    await server.advanceSeconds(50);
    assert.equal((await client.query(fql`Customer.byId(${data.id}).exists()`)).data, false);
  });
});
