// One document through all dialects: what Kuzzle's clients write has the same life for the native API, for Centrali's
// and for the Cosmos DB client, and what those do is seen by Kuzzle's.
'use strict';

const assert = require('node:assert/strict');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { after, before, test } = require('node:test');
const { Server: KuzzleServer, failure } = require('./server');

const { CosmosClient } = createRequire(join(__dirname, '../cosmos/package.json'))('@azure/cosmos');
const { KEY } = require('../cosmos/server');

// All ports at once.
class Server extends KuzzleServer {
  static listens = ['native', 'cosmos', 'kuzzle'];
}

let server;
let cosmos;
before(async () => {
  server = await Server.start();
  cosmos = new CosmosClient({ endpoint: server.cosmos, key: KEY });
});
after(async () => {
  cosmos.dispose();
  await server.stop();
});

const ids = (rows) => rows.map((row) => row.id);

// Ways of looking at one collection, each with the ids of all documents and with a body, or nothing where there is none.
function looks([index, collection]) {
  const path = `v1/databases/${index}/collections/${collection}`;
  const records = `data/workspace/${index}/api/v1/records`;
  const container = cosmos.database(index).container(collection);
  const fetched = async (target) => {
    const { status, body } = await server.fetchNative('GET', target);
    assert.ok(status === 200 || status === 404, JSON.stringify(body));
    return status === 200 ? body : undefined;
  };
  return {
    native: {
      list: async () => ids((await fetched(`${path}/documents`)).documents),
      read: async (id) => (await fetched(`${path}/documents/${id}`))?.data,
    },
    centrali: {
      list: async () => ids((await fetched(`${records}/slug/${collection}`)).data),
      read: async (id) => (await fetched(`${records}/${id}`))?.data,
    },
    cosmos: {
      list: async () => ids((await container.items.query('SELECT c.id FROM c').fetchAll()).resources),
      read: async (id) => {
        const { statusCode, resource } = await container.item(id).read();
        assert.ok(statusCode === 200 || statusCode === 404);
        return statusCode === 200 ? { n: resource.n } : undefined;
      },
    },
  };
}

async function expectForAll(place, expected) {
  for (const [dialect, { list, read }] of Object.entries(looks(place))) {
    assert.deepEqual((await list()).sort(), Object.keys(expected), `the list of ${dialect}`);
    for (const id of ['d1', 'd2']) assert.deepEqual(await read(id), expected[id], `${id} in ${dialect}`);
  }
}

for (const generation of ['v6', 'v7']) {
  for (const protocol of ['WebSocket', 'Http']) {
    test(`what ${generation} writes over ${protocol} has the same life for every dialect`, async () => {
      const client = await server[generation](protocol);
      const place = await server.collection(client);
      await client.document.create(...place, { n: 1 }, 'd1');
      await client.document.create(...place, { n: 2 }, 'd2');
      await expectForAll(place, { d1: { n: 1 }, d2: { n: 2 } });
      await client.document.update(...place, 'd2', { n: 3 });
      await expectForAll(place, { d1: { n: 1 }, d2: { n: 3 } });
      await client.document.delete(...place, 'd1');
      await expectForAll(place, { d2: { n: 3 } });
      await client.document.createOrReplace(...place, 'd1', { n: 4 });
      await expectForAll(place, { d1: { n: 4 }, d2: { n: 3 } });
    });
  }
}

test('the metadata of a document are those that the native API tells', async () => {
  const client = await server.v6();
  const place = await server.collection(client);
  const { _meta: made } = await client.document.create(...place, {}, 'd1');
  await server.advance(5000);
  await client.document.update(...place, 'd1', { n: 1 });
  const { _meta: meta } = await client.document.get(...place, 'd1');
  const { body } = await server.fetchNative('GET', `v1/databases/${place[0]}/collections/c/documents/d1`);
  assert.equal(Date.parse(body.created_at), made.createdAt);
  assert.equal(meta.createdAt, made.createdAt);
  assert.equal(Date.parse(body.written_at), meta.updatedAt);
  assert.deepEqual([body.author, body.updater], [meta.author, meta.updater]);
  assert.equal(body.revision, 2);
});

test('a document that Kuzzle trashed lies in the native trash and is restored there', async () => {
  const client = await server.v6();
  const place = await server.collection(client);
  const path = `v1/databases/${place[0]}/collections/c`;
  await client.document.create(...place, { n: 1 }, 'd1');
  await server.advance(1000);
  await client.document.delete(...place, 'd1');
  const { _meta: trashed } = await client.document.get(...place, 'd1', { includeTrash: true });
  const trash = async () => (await server.fetchNative('GET', `${path}/trash`)).body.documents;
  const [lying] = await trash();
  assert.deepEqual([lying.id, lying.data], ['d1', { n: 1 }]);
  assert.equal(Date.parse(lying.removed_at), trashed.deletedAt);
  assert.equal((await server.fetchNative('GET', `${path}/documents/d1`)).status, 404);

  assert.equal((await server.fetchNative('POST', `${path}/trash/d1/restore`)).status, 200);
  assert.deepEqual(await trash(), []);
  const back = await client.document.get(...place, 'd1');
  assert.equal(back._meta.active, true);
  assert.equal(back._meta.createdAt, trashed.createdAt);
  await expectForAll(place, { d1: { n: 1 } });
});

test('what the native API removes lies in the trashcan, and what it forgets does not', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  const path = `v1/databases/${place[0]}/collections/c`;
  for (const id of ['d1', 'd2']) {
    await client.document.create(...place, { n: 1 }, id);
    assert.equal((await server.fetchNative('DELETE', `${path}/documents/${id}`)).status, 204);
    assert.equal(await client.document.exists(...place, id), false);
  }
  assert.equal((await client.document.search(...place, {}, { includeTrash: true })).total, 2);
  assert.equal((await server.fetchNative('DELETE', `${path}/trash/d1`)).status, 204);
  const error = await failure(client.document.get(...place, 'd1', { includeTrash: true }));
  assert.equal(error.status, 404);
  assert.equal((await client.document.get(...place, 'd2', { includeTrash: true }))._id, 'd2');
  // Writing to its id brings it out, there too.
  await client.document.update(...place, 'd2', { n: 2 });
  assert.deepEqual((await server.fetchNative('GET', `${path}/trash`)).body.documents, []);
});

test('what the garbage collector takes has left the native trash', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  const path = `v1/databases/${place[0]}/collections/c`;
  await client.document.create(...place, {}, 'd1');
  await client.document.delete(...place, 'd1');
  await server.advance(86_400_000);
  // Who is shown a trashcan is shown it after the pass that was due.
  assert.equal(await client.document.count(...place, {}, { includeTrash: true }), 0);
  assert.deepEqual((await server.fetchNative('GET', `${path}/trash`)).body.documents, []);
  assert.equal((await server.fetchNative('POST', `${path}/trash/d1/restore`)).status, 404);
});

test('a document with a native TTL is gone for Kuzzle at its death', async () => {
  for (const client of [await server.v6(), await server.v7(), await server.v7('Http')]) {
    const place = await server.collection(client);
    const path = `v1/databases/${place[0]}/collections/c`;
    await server.fetchNative('PUT', `${path}/documents/d1?ttl=10`, { n: 1 });
    await client.document.create(...place, { n: 2 }, 'd2');
    const seen = async () => {
      const { hits } = await client.document.search(...place, { sort: [{ n: 'asc' }] });
      assert.equal(await client.document.count(...place, {}), hits.length);
      for (const id of ['d1', 'd2']) {
        assert.equal(await client.document.exists(...place, id), hits.some((hit) => hit._id === id));
      }
      return hits.map((hit) => hit._id);
    };
    await server.advance(5000);
    // A write that says nothing of a lifetime leaves it as it is.
    await client.document.update(...place, 'd1', { m: 1 });
    await server.advance(4999);
    assert.deepEqual(await seen(), ['d1', 'd2']);
    assert.equal((await client.document.get(...place, 'd1'))._source.m, 1);
    await server.advance(1);
    assert.deepEqual(await seen(), ['d2']);
    for (const options of [{}, { includeTrash: true }]) {
      assert.equal((await failure(client.document.get(...place, 'd1', options))).status, 404);
    }
    await expectForAll(place, { d2: { n: 2 } });
    // The dead hold nothing: the id is free.
    assert.equal((await client.document.create(...place, { n: 3 }, 'd1'))._id, 'd1');
  }
});

test('a default that the native API sets is the death of what Kuzzle wrote', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  await client.document.create(...place, { n: 1 }, 'd1');
  await client.document.create(...place, { n: 2 }, 'd2');
  await server.advance(1000);
  await server.fetchNative('PATCH', `v1/databases/${place[0]}/collections/c`, { default_ttl: 60 });
  await server.advance(50_000);
  await client.document.update(...place, 'd2', { n: 3 });
  await expectForAll(place, { d1: { n: 1 }, d2: { n: 3 } });
  await server.advance(9000);
  await expectForAll(place, { d2: { n: 3 } });
  assert.equal(await client.document.exists(...place, 'd1'), false);
  await server.advance(51_000);
  await expectForAll(place, {});
  assert.equal((await client.document.search(...place, {})).total, 0);
});

test('a document in the trashcan dies there, and nobody brings it back', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  const path = `v1/databases/${place[0]}/collections/c`;
  await server.fetchNative('PUT', `${path}/documents/d1?ttl=10`, { n: 1 });
  await client.document.delete(...place, 'd1');
  await server.advance(9999);
  assert.equal((await client.document.get(...place, 'd1', { includeTrash: true }))._id, 'd1');
  await server.advance(1);
  assert.equal((await failure(client.document.get(...place, 'd1', { includeTrash: true }))).status, 404);
  assert.equal((await server.fetchNative('POST', `${path}/trash/d1/restore`)).status, 404);
  assert.equal((await failure(client.document.update(...place, 'd1', {}))).status, 404);
});

test('what the Cosmos DB client writes with a ttl of its own is gone for Kuzzle when it says', async () => {
  const client = await server.v7();
  const index = Server.freshName('i');
  const { database } = await cosmos.databases.create({ id: index });
  const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk', defaultTtl: -1 });
  await container.items.create({ id: 'd1', pk: 'a', ttl: 5 });
  await container.items.create({ id: 'd2', pk: 'a' });
  const seen = async () => (await client.document.search(index, 'c', {})).hits.map((hit) => hit._id).sort();
  await server.advance(3000);
  assert.deepEqual(await seen(), ['d1', 'd2']);
  await server.advance(2000);
  assert.deepEqual(await seen(), ['d2']);
});
