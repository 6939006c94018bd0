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

test('the notification of what a client wrote comes before the answer to it', async () => {
  const [index, collection] = await server.collection(writer);
  const place = { index, collection };
  const frames = [];
  let heard = () => {};
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`);
  socket.onmessage = ({ data }) => { frames.push(JSON.parse(data)); heard(); };
  await new Promise((open) => { socket.onopen = open; });
  const say = (controller, action, more) => socket.send(JSON.stringify({ controller, action, requestId: action, ...place, ...more }));
  const come = async (count) => {
    while (frames.length < count) await new Promise((done) => { heard = done; });
    return frames.splice(0, count).map((frame) => frame.type ? `${frame.type} ${frame.action}` : `answer ${frame.action}`);
  };
  say('realtime', 'subscribe', { body: {} });
  assert.deepEqual(await come(1), ['answer subscribe']);
  for (let i = 0; i < 20; ++i) {
    say('document', 'create', { _id: `d${i}`, body: { i } });
    say('document', 'update', { _id: `d${i}`, body: { i: -i } });
    say('document', 'delete', { _id: `d${i}` });
    say('realtime', 'publish', { body: { i } });
    say('document', 'count', { body: {} });
    const all = await come(9);
    const order = (words) => words.map((word) => all.indexOf(word));
    for (const action of ['create', 'update', 'delete', 'publish']) {
      const [notified, answered] = order([`document ${action}`, `answer ${action}`]);
      assert.ok(notified >= 0 && notified < answered, `${action}: ${all}`);
    }
    const answers = all.filter((word) => word.startsWith('answer'));
    assert.deepEqual(answers, ['create', 'update', 'delete', 'publish', 'count'].map((action) => `answer ${action}`));
  }
  socket.close();
});
