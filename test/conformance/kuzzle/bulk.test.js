// Bulk writes, exports and the rest of the controllers of indexes and collections, through Kuzzle's own clients.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const zlib = require('node:zlib');
const { Server, failure, testEachProtocol } = require('./server');

const server = Server.forTests();

const given = { author: 'old', createdAt: 1000000000000, updatedAt: 1100000000000, updater: 'older' };

testEachProtocol(server, 'v6', {
  'documents are written with the metadata they come with': async (client, place) => {
    const written = await client.bulk.write(...place, { a: 1, _kuzzle_info: given }, 'd1');
    assert.equal(written._meta.author, 'old');
    assert.equal((await client.document.get(...place, 'd1'))._source._kuzzle_info.createdAt, given.createdAt);
    const several = await client.bulk.mWrite(...place, [{ _id: 'd2', body: { _kuzzle_info: given } }, { body: {} }]);
    assert.equal(several.total, 2);
    assert.equal(several.hits[0]._meta.updater, 'older');
  },

  'an import names its places itself': async (client, place) => {
    const imported = await client.bulk.import(
      [{ index: { _index: place[0], _type: place[1], _id: 'i1' } }, { b: 1 }]);
    assert.equal(imported.errors, false);
    assert.equal((await client.document.get(...place, 'i1'))._source.b, 1);
  },

  'what is kept beside the indexes is refreshed, too': async (client, place) => {
    assert.equal(await client.index.refreshInternal(), true);
  },
});

testEachProtocol(server, 'v7', {
  'documents are written with the metadata they come with': async (client, place) => {
    const written = await client.bulk.write(...place, { a: 1, _kuzzle_info: given }, 'd1');
    assert.deepEqual(written, { _id: 'd1', _version: 1, _source: { a: 1, _kuzzle_info: given } });
    const { successes, errors } = await client.bulk.mWrite(...place,
      [{ _id: 'd2', body: { a: 2, _kuzzle_info: given } }, { _id: 'd3', body: { a: 3 } }, { _id: 'd4' }]);
    assert.deepEqual(successes.map((document) => document._id), ['d2', 'd3']);
    assert.equal(errors.length, 1);
    const found = await client.document.search(...place, { query: { term: { '_kuzzle_info.author': 'old' } } });
    assert.deepEqual(found.hits.map((hit) => hit._id), ['d1', 'd2']);
  },

  'an import goes where the request says': async (client, place) => {
    const { successes } = await client.bulk.import(...place, [{ index: { _id: 'i1' } }, { b: 1 }]);
    assert.equal(successes.length, 1);
    assert.equal((await client.document.get(...place, 'i1'))._source.b, 1);
  },

  'changes by query tell how many there were': async (client, place) => {
    assert.equal(await client.bulk.updateByQuery(...place, { exists: { field: 'a' } }, { k: 1 }), 3);
    assert.equal(await client.document.count(...place, { query: { term: { k: 1 } } }), 3);
    assert.equal((await client.document.get(...place, 'd1'))._source._kuzzle_info.updater, 'older');
    assert.equal(await client.bulk.deleteByQuery(...place, { query: { term: { k: 1 } } }), 3);
    assert.equal(await client.document.exists(...place, 'd1'), false);
  },

  'what is silent tells nobody': async (client, place) => {
    const listener = await server.v7();
    const heard = [];
    await listener.realtime.subscribe(...place, {}, (notification) => heard.push(notification.result._id));
    await client.document.create(...place, {}, 's1', { silent: true });
    await client.bulk.write(...place, {}, 's2');
    await client.bulk.write(...place, {}, 's3', { notify: true });
    const last = new Promise((done) => {
      listener.realtime.subscribe(...place, { ids: { values: ['s4'] } }, done);
    });
    await listener.server.now();
    await client.document.create(...place, {}, 's4');
    await last;
    assert.deepEqual(heard.filter((id) => id !== 's4'), ['s3']);
  },

  'indexes and collections tell of themselves': async (client, place) => {
    const stats = await client.index.stats();
    const ours = stats.indexes.find((index) => index.name === place[0]);
    assert.equal(ours.collections[0].name, 'c');
    assert.equal(typeof ours.collections[0].documentCount, 'number');
    assert.equal(typeof stats.size, 'number');
    await client.collection.updateMapping(...place, { properties: { a: { type: 'long' } } });
    assert.equal((await client.collection.getMapping(...place)).properties.a.type, 'long');
    const { result } = await client.query({ controller: 'collection', action: 'getSettings',
      index: place[0], collection: place[1] });
    assert.equal(result.provided_name, `&${place[0]}.c`);
    await client.collection.refresh(...place);
    await client.collection.truncate(...place);
    assert.equal(await client.document.count(...place, {}), 0);
    const other = (await server.collection(client))[0];
    assert.deepEqual(await client.index.mDelete([other, 'none']), [other]);
    assert.equal(await client.index.exists(other), false);
    assert.equal((await client.server.capabilities()).limits.documentsWriteCount, 200);
  },
});

test('an export is a file, however long', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  const documents = Array.from({ length: 3000 }, (_, n) => ({ _id: `d${n}`, body: { n, name: `number ${n}, ok` } }));
  await client.bulk.mWrite(...place, documents);
  const address = `${server.kuzzle}/${place.join('/')}/_export`;
  const csv = await fetch(`${address}?format=csv&fields=n,name`);
  assert.equal(csv.headers.get('content-disposition'), `attachment; filename="${place.join('-')}.csv"`);
  const lines = (await csv.text()).trim().split('\n');
  assert.equal(lines.length, 3001);
  assert.equal(lines[0], '_id,n,name');
  assert.ok(lines.includes('d7,7,"number 7, ok"'));
  const jsonl = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { range: { n: { lt: 2 } } } }) });
  const [head, ...rows] = (await jsonl.text()).trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(head, { collection: 'c', index: place[0], type: 'collection' });
  assert.deepEqual(rows.map((row) => row.body.n).sort(), [0, 1]);
  const error = await failure(client.query({ controller: 'document', action: 'export', index: place[0],
    collection: place[1] }));
  assert.equal(error.id, 'api.assert.unsupported_protocol');
});

test('a body may come packed, and is bounded once it is unpacked', async () => {
  const client = await server.v7();
  const [index, collection] = await server.collection(client);
  const send = (body, encoding, path = `/${index}/${collection}/_create`) => fetch(`${server.kuzzle}${path}`, {
    method: 'POST', headers: { 'content-type': 'application/json', 'content-encoding': encoding }, body });
  const ways = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, ' DEFLATE': zlib.deflateRawSync };
  for (const [encoding, pack] of Object.entries(ways)) {
    const response = await send(pack(JSON.stringify({ encoding, text: 'x'.repeat(100_000) })), encoding);
    assert.equal(response.status, 200);
    const { result } = await response.json();
    assert.equal((await client.document.get(index, collection, result._id))._source.encoding, encoding);
  }
  assert.equal((await send('{}', 'gzip')).status, 400);
  assert.equal((await send(zlib.brotliCompressSync('{}'), 'br')).status, 400);
  const bomb = zlib.gzipSync(Buffer.alloc(64 << 20, ' '));
  assert.ok(bomb.length < 100_000);
  assert.equal((await send(bomb, 'gzip')).status, 413);
  // A login says less.
  const large = zlib.gzipSync(JSON.stringify({ username: 'x'.repeat(100_000), password: 'x' }));
  assert.equal((await send(large, 'gzip', '/_login/local')).status, 413);
  assert.equal(await client.document.count(index, collection, {}), 3);
});
