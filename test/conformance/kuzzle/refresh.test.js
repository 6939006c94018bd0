// Searches that find late what is written, as Kuzzle's storage has it, where they are told to.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Server, ask } = require('./server');

const server = Server.forTests(['--kuzzle-searchRefreshInterval', '1000']);

test('a write is got at once, and found when its time has come or somebody refreshes', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  await server.advance(5000);
  const found = async (speaker) => (await speaker.document.search(...place, {})).hits.map((hit) => hit._id);
  const ids = [];
  for (const speaker of [client, await server.v6(), await server.v7('Http')]) {
    const id = `d${ids.length}`;
    await speaker.document.create(...place, {}, id);
    assert.equal((await speaker.document.get(...place, id))._id, id);
    assert.deepEqual(await found(speaker), ids);
    assert.equal(await speaker.document.count(...place, {}), ids.length);
    await server.advance(1001);
    ids.push(id);
    assert.deepEqual(await found(speaker), ids);
  }
  await client.document.create(...place, {}, 'd3', { refresh: 'wait_for' });
  await client.document.create(...place, {}, 'd4');
  assert.deepEqual(await found(client), [...ids, 'd3']);
  await client.collection.refresh(...place);
  assert.deepEqual(await found(client), [...ids, 'd3', 'd4']);
});

test('an index is told by the first generation to refresh itself', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  const old = await server.v5();
  assert.equal((await ask(old, 'getAutoRefresh', place[0])).result, false);
  const search = async () => (await client.document.search(...place, {})).total;
  await client.document.create(...place, {});
  assert.equal(await search(), 0);
  await ask(old, 'refreshIndex', place[0]);
  assert.equal(await search(), 1);
  assert.equal((await ask(old, 'setAutoRefresh', place[0], true)).result.response, true);
  assert.equal((await ask(old, 'getAutoRefresh', place[0])).result, true);
  await client.document.create(...place, {});
  assert.equal(await search(), 2);
  const v6 = await server.v6();
  assert.equal(await v6.index.getAutoRefresh(place[0]), true);
  await v6.index.setAutoRefresh(place[0], false);
  assert.equal(await v6.index.getAutoRefresh(place[0]), false);
});
