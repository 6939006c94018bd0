// More requests than the server is told to take, and what it tells of its work, through Kuzzle's own clients.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Server, ask } = require('./server');

// One thread reads the sockets, and one worker does what is slow, so that what comes first is done first.
const server = Server.forTests(['--threads', '1', '--workers', '1', '--kuzzle-limits-concurrentRequests', '1',
  '--kuzzle-limits-requestsBufferSize', '2', '--kuzzle-limits-requestsBufferWarningThreshold', '0',
  '--kuzzle-limits-documentsWriteCount', '3', '--kuzzle-limits-documentsFetchCount', '4']);

const counted = async (name) => {
  const text = await (await fetch(`${server.native}/metrics`)).text();
  return Number(text.split('\n').find((line) => line.startsWith(`${name} `)).split(' ')[1]);
};

test('what the buffer cannot take is discarded, and the others are answered', async () => {
  const client = await server.v7('Http');
  const local = { username: 'eve', password: 'pw' };
  await client.security.createUser('eve', { content: { profileIds: ['default'] }, credentials: { local } });
  const login = () => client.query({ controller: 'auth', action: 'login', strategy: 'local', body: local },
    { verb: 'POST' });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, login));
  const done = outcomes.filter((one) => one.status === 'fulfilled');
  const refused = outcomes.filter((one) => one.status === 'rejected').map((one) => one.reason);
  assert.ok(done.length > 0 && refused.length > 0, `${done.length} done, ${refused.length} refused`);
  for (const error of refused) {
    assert.equal(error.status, 503);
    assert.equal(error.id, 'api.process.overloaded');
    assert.equal(error.message, 'Request discarded: Kuzzle Server is temporarily overloaded');
  }
  assert.equal(await counted('mayfly_kuzzle_requests_discarded_total'), refused.length);
  assert.ok(await counted('mayfly_kuzzle_overload_warnings_total') > 0);
  assert.equal(await counted('mayfly_kuzzle_requests_buffered'), 0);
  assert.equal((await login()).result._id, 'eve');
});

test('of ten at once on WebSockets some are refused, and the others are answered in their order', async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => server.v6()));
  const login = (one) => one.auth.login('local', { username: 'eve', password: 'pw' });
  const done = [];
  const refused = [];
  await Promise.all(clients.map((one, i) => login(one).then(() => done.push(i), (error) => refused.push(error))));
  assert.ok(done.length > 0 && refused.length > 0, `${done.length} done, ${refused.length} refused`);
  assert.deepEqual(done, done.toSorted((a, b) => a - b));
  for (const error of refused) {
    assert.equal(error.status, 503);
    assert.equal(error.message, 'Request discarded: Kuzzle Server is temporarily overloaded');
  }
  for (const one of clients) await login(one);
});

test('the bounds are told, and kept', async () => {
  const client = await server.v7();
  const { limits } = await client.server.capabilities();
  assert.deepEqual(limits, { concurrentRequests: 1, documentsFetchCount: 4, documentsWriteCount: 3,
    loginsPerSecond: 50, requestsBufferSize: 2, requestsBufferWarningThreshold: 0,
    subscriptionConditionsCount: 16, subscriptionRooms: 100000 });
  assert.deepEqual((await client.server.getConfig()).limits, limits);
  const place = await server.collection(client);
  const documents = [1, 2, 3, 4].map((n) => ({ _id: `d${n}`, body: {} }));
  await assert.rejects(client.document.mCreate(...place, documents), { status: 413 });
  await client.document.mCreate(...place, documents.slice(1));
  await assert.rejects(client.document.search(...place, {}, { size: 5 }), { status: 413 });
});

test('statistics, by each generation', async () => {
  const client = await server.v7();
  const start = await client.server.now();
  await server.advance(10000);
  await client.server.now();
  await assert.rejects(client.document.get('no', 'no', 'no'));
  await server.advance(10000);
  for (const speaker of [client, await server.v6(), await server.v7('Http')]) {
    const last = await speaker.server.getLastStats();
    assert.deepEqual(Object.keys(last).sort(),
      ['completedRequests', 'connections', 'failedRequests', 'ongoingRequests', 'timestamp']);
    assert.ok(last.completedRequests.websocket >= 1);
    assert.equal(last.failedRequests.websocket, 1);
    const all = await speaker.server.getAllStats();
    assert.equal(all.hits.length, all.total);
    const some = await speaker.server.getStats(start, start + 10000);
    assert.equal(some.total, 1);
    assert.ok(some.hits[0].timestamp > start && some.hits[0].timestamp <= start + 10000);
  }
  const old = await server.v5();
  const [frame] = await ask(old, 'getStatistics');
  assert.ok(frame.connections.websocket >= 1);
  assert.ok((await ask(old, 'getAllStatistics')).length >= 2);
  assert.equal((await ask(old, 'getStatistics', start + 10001)).length, 1);
});
