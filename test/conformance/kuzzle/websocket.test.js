// What clients say below their libraries, on the real binary.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const WebSocket = require('ws');
const { Server } = require('./server');

const server = Server.forTests();
const closed = Server.forTests();  // where an administrator is made

async function open(port = server.port, target = '/') {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${target}`);
  const heard = [];
  const waiting = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    waiting.length ? waiting.shift()(message) : heard.push(message);
  });
  await new Promise((done) => socket.once('open', done));
  const hear = () => new Promise((done) => { heard.length ? done(heard.shift()) : waiting.push(done); });
  return { socket, ask: (message) => { socket.send(message); return hear(); } };
}

test('pings of both kinds, broken messages, and HTTP beside it', async () => {
  const { socket, ask } = await open();
  assert.deepEqual(await ask('{"p":1}'), { p: 2 });
  const pong = new Promise((done) => socket.once('pong', done));
  socket.ping();
  await pong;
  const broken = await ask('not json');
  assert.equal(broken.status, 400);
  assert.equal(broken.room, undefined);
  const answer = await ask('{"controller":"server","action":"now"}');
  assert.equal(answer.status, 200);
  assert.equal(answer.room, answer.requestId);
  const http = await fetch(`${server.kuzzle}/_now?pretty`);
  assert.match(await http.text(), /\n {2}"status": 200,\n/);
});

test('a message in a binary frame is a message', async () => {
  const { ask } = await open();
  const answer = await ask(Buffer.from('{"controller":"server","action":"now","requestId":"b"}'));
  assert.equal(answer.status, 200);
  assert.equal(answer.room, 'b');
});

test('a client that names no library says its version when it connects', async () => {
  const version = async (target) => {
    const { ask } = await open(server.port, target);
    return (await ask('{"controller":"server","action":"getConfig"}')).result.version;
  };
  assert.equal(await version('/'), '1.2.13');
  assert.equal(await version('/?kuzzleVersion=2'), '2.56.0');
  const http = await fetch(`${server.kuzzle}//_getConfig`, { headers: { 'x-kuzzle-version': '1.12' } });
  assert.equal((await http.json()).result.version, '1.12.0');
});

test('who closes is answered, and a server that stops says so', async () => {
  const first = await open();
  const second = await open();
  const closed = new Promise((done) => first.socket.once('close', done));
  first.socket.close(1000);
  assert.equal(await closed, 1000);
  const stopped = new Promise((done) => second.socket.once('close', done));
  await server.restart();
  assert.equal(await stopped, 1001);
});

test('a page of this machine asks what it may, and is answered in Kuzzle\'s words', async () => {
  const ask = (base, path, headers) => fetch(`${base}${path}`, { method: 'OPTIONS', headers });
  const preflight = { origin: 'http://localhost:3000', 'access-control-request-method': 'PUT',
    'access-control-request-headers': 'content-type,x-kuzzle-volatile' };
  for (const path of ['/x', '/', '/idx/col/d1']) {
    const allowed = await ask(server.kuzzle, path, preflight);
    assert.equal(allowed.status, 200);
    assert.equal(allowed.headers.get('access-control-allow-origin'), preflight.origin);
    assert.match(allowed.headers.get('access-control-allow-methods'), /PUT/);
    assert.equal(allowed.headers.get('access-control-allow-headers'), preflight['access-control-request-headers']);
    const envelope = await allowed.json();
    assert.equal(envelope.status, 200);
    assert.deepEqual(envelope.result, {});
    const plain = await ask(server.kuzzle, path, {});
    assert.equal(plain.status, 200);
    assert.match(plain.headers.get('access-control-allow-headers'), /X-Kuzzle-Volatile/);
    assert.deepEqual((await plain.json()).result, {});
  }
  const stranger = await ask(server.kuzzle, '/x', { ...preflight, origin: 'http://example.org' });
  assert.equal(stranger.headers.get('access-control-allow-origin'), null);
  assert.equal((await ask(server.native, '/v1', preflight)).status, 204);
});

test('who has not logged in sends short messages, once the role anonymous is restricted', async () => {
  const large = JSON.stringify({ controller: 'server', action: 'info', body: { text: 'x'.repeat(70_000) } });
  const local = { username: 'boss', password: 'pw' };
  const before = await open(closed.port);
  assert.equal((await before.ask(large)).status, 200);
  const made = await fetch(`${closed.kuzzle}/boss/_createFirstAdmin?reset=1`, { method: 'POST',
    headers: { 'content-type': 'application/json' }, body: JSON.stringify({ content: {}, credentials: { local } }) });
  assert.equal(made.status, 200);
  const known = await open(closed.port);
  const login = await known.ask(JSON.stringify({ controller: 'auth', action: 'login', strategy: 'local', body: local }));
  assert.equal(login.status, 200);
  assert.equal((await known.ask(large)).status, 200);
  const unknown = await open(closed.port);
  const ended = new Promise((done) => unknown.socket.once('close', done));
  const answered = unknown.ask(large).then((answer) => answer.status);
  assert.equal(await Promise.race([ended, answered]), 1009);
});
