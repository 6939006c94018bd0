// Subscriptions through each generation of Kuzzle's own client.
'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { Server } = require('./server');

let server;
let writer;
before(async () => {
  server = await Server.start();
  writer = await server.v7();
});
after(async () => { await server.stop(); });

// Notifications in the order in which they come.
function inbox() {
  const heard = [];
  const waiting = [];
  const take = (notification) => { waiting.length ? waiting.shift()(notification) : heard.push(notification); };
  const next = () => new Promise((done) => { heard.length ? done(heard.shift()) : waiting.push(done); });
  return { take, next };
}

for (const generation of ['v6', 'v7']) {
  test(`${generation}: documents that come into scope and leave it`, async () => {
    const client = await server[generation]();
    const [index, collection] = await server.collection(writer);
    const { take, next } = inbox();
    const room = await client.realtime.subscribe(index, collection, { equals: { a: 1 } }, take);
    await writer.document.create(index, collection, { a: 1 }, 'd1');
    let told = await next();
    assert.equal(told.action, 'create');
    assert.equal(told.scope, 'in');
    assert.equal(told.result._id, 'd1');
    assert.equal(told.result._source.a, 1);
    await writer.document.update(index, collection, 'd1', { a: 2 });
    told = await next();
    assert.equal(told.scope, 'out');
    await writer.document.update(index, collection, 'd1', { a: 1 });
    assert.equal((await next()).scope, 'in');
    await writer.document.delete(index, collection, 'd1');
    told = await next();
    assert.equal(told.action, 'delete');
    assert.equal(told.scope, 'out');
    assert.equal(await client.realtime.count(room), 1);
    await client.realtime.unsubscribe(room);
    await writer.document.create(index, collection, { a: 1 }, 'd2');
    await client.realtime.subscribe(index, collection, {}, take);
    await writer.realtime.publish(index, collection, { b: 1 });
    told = await next();
    assert.equal(told.action, 'publish');
    assert.equal(told.result._source.b, 1);
  });
}

test('v5: a room of its own', async () => {
  const client = await server.v5();
  const [index, collection] = await server.collection(writer);
  const { take, next } = inbox();
  const room = await new Promise((done, failed) => {
    client.collection(collection, index)
      .subscribe({ exists: 'a' }, { scope: 'all', users: 'none' }, (error, told) => take(error || told))
      .onDone((error, made) => { error ? failed(error) : done(made); });
  });
  await writer.document.create(index, collection, { a: 1 }, 'd1');
  const told = await next();
  assert.equal(told.document.id, 'd1');
  assert.equal(told.scope, 'in');
  assert.equal(told.document.meta.author, '-1');
  room.unsubscribe();
});
