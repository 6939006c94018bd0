// The garbage collector of the real binary, under its virtual clock.
'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { Server, failure } = require('./server');

let server;
before(async () => {
  server = await Server.start(['--kuzzle-services-garbageCollector-cleanInterval', '60000',
    '--kuzzle-services-garbageCollector-maxDelete', '2']);
});
after(async () => { await server.stop(); });

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
