// The garbage collector of the real binary, under its virtual clock.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Server, failure, until } = require('./server');

const settings = (values) => Object.entries(values).flatMap(
  ([name, value]) => [`--kuzzle-services-garbageCollector-${name}`, String(value)]);
const server = Server.forTests(settings({ cleanInterval: 60000, maxDelete: 2 }));
// Busy with a single request, and with but one worker for what is slow.
const busy = Server.forTests(['--threads', '1', '--workers', '1', '--kuzzle-limits-concurrentRequests', '1',
  ...settings({ cleanInterval: 60000, retry: 5000 })]);
const quick = Server.forTests(settings({ cleanInterval: 2000 }));

test('the oldest leave the trashcan pass by pass, and a restart waits its interval', async () => {
  let client = await server.v7();
  const place = await server.collection(client);
  for (const id of ['d3', 'd1', 'd2']) {
    await client.document.create(...place, {}, id);
    await client.document.delete(...place, id);
    await server.advance(10);
  }
  await client.document.create(...place, {}, 'alive');
  const left = async () => {
    const { successes } = await client.document.mGet(...place, ['d1', 'd2', 'd3', 'alive'],
      { verb: 'POST', includeTrash: true });
    return successes.map((document) => document._id);
  };
  assert.deepEqual(await left(), ['d1', 'd2', 'd3', 'alive']);
  await server.advance(30000);
  await server.restart();
  client = await server.v7();
  await server.advance(59000);
  assert.deepEqual(await left(), ['d1', 'd2', 'd3', 'alive']);
  await server.advance(1000);
  assert.deepEqual(await left(), ['d2', 'alive']);
  await server.advance(60001);
  assert.deepEqual(await left(), ['alive']);
  const trashed = await failure(client.document.get(...place, 'd1', { includeTrash: true }));
  assert.equal(trashed.status, 404);
  const { result } = await client.query({ controller: 'server', action: 'getConfig' });
  assert.deepEqual(result.services.garbageCollector, { cleanInterval: 60000, maxDelete: 2 });
});

test('a pass comes without anybody who asks for the trash', async () => {
  const client = await quick.v7();
  const place = await quick.collection(client);
  const ids = ['d1', 'd2', 'd3'];
  const trashed = (id) => client.document.get(...place, id, { includeTrash: true });
  for (const id of ids) {
    await client.document.create(...place, {}, id);
    await client.document.delete(...place, id);
  }
  await quick.advance(1000);
  for (const id of ids) assert.equal((await trashed(id))._id, id);
  await quick.advance(1001);
  // Kuzzle's own API would run the pass that is due; the native one only looks.
  const path = `v1/databases/${place[0]}/collections/c/trash`;
  await until(async () => (await quick.fetchNative('GET', path)).body.documents.length === 0);
  for (const id of ids) assert.equal((await failure(trashed(id))).status, 404);
});

test('a pass that comes while the server is busy is put off for as long as the setting says', async () => {
  const client = await busy.v7();
  const place = await busy.collection(client);
  const local = { username: 'eve', password: 'pw' };
  await client.security.createUser('eve', { content: { profileIds: ['default'] }, credentials: { local } });
  await client.document.create(...place, {}, 'd1');
  await client.document.delete(...place, 'd1');
  const trashed = () => client.document.get(...place, 'd1', { includeTrash: true });
  const crowd = await Promise.all(Array.from({ length: 8 }, () => busy.v6()));
  await busy.advance(59000);
  const logins = Promise.all(crowd.map((one) => one.auth.login('local', local)));
  await busy.advance(1001);
  assert.equal((await trashed())._id, 'd1');
  await logins;
  await busy.advance(4998);
  assert.equal((await trashed())._id, 'd1');
  await busy.advance(2);
  assert.equal((await failure(trashed())).status, 404);
});
