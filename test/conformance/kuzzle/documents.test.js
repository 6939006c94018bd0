// Documents, their metadata and the trashcan through each generation of Kuzzle's own client.
'use strict';

const assert = require('node:assert/strict');
const { before, describe, test } = require('node:test');
const { Server, failure, ask, testEachProtocol } = require('./server');

const server = Server.forTests();

describe('the client of Kuzzle 1.0 to 1.3', () => {
  let client;
  let collection;
  let index;
  before(async () => {
    client = await server.v5();
    [index] = await server.collection(await server.v7());
    collection = client.collection('c', index);
  });

  const query = (action, message, controller = 'document') => new Promise((done, failed) => {
    client.query({ controller, action, index, collection: 'c' }, message, (error, answer) => {
      error ? failed(error) : done(answer);
    });
  });

  test('a document that is created has metadata of its own beside its source', async () => {
    const document = await ask(collection, 'createDocument', 'd1', { message: 'Hey! Ho!' });
    assert.equal(document.id, 'd1');
    assert.deepEqual(document.content, { message: 'Hey! Ho!' });
    assert.deepEqual(Object.keys(document.meta),
      ['author', 'createdAt', 'updatedAt', 'updater', 'active', 'deletedAt']);
    assert.equal(document.meta.author, '-1');
    assert.equal(String(document.meta.createdAt).length, 13);
    const fetched = await ask(collection, 'fetchDocument', 'd1');
    assert.deepEqual(fetched.meta, document.meta);
  });

  test('an update tells who and when, a replacement begins anew', async () => {
    await ask(collection, 'createDocument', 'd2', { a: 1 });
    await server.advance(5000);
    const updated = await ask(collection, 'updateDocument', 'd2', { b: 2 });
    assert.deepEqual(updated.content, { a: 1, b: 2 });
    assert.equal(updated.version, 2);
    const { meta } = await ask(collection, 'fetchDocument', 'd2');
    assert.equal(meta.updatedAt - meta.createdAt, 5000);
    const replaced = await ask(collection, 'replaceDocument', 'd2', { z: 1 });
    assert.equal(replaced.meta.createdAt, replaced.meta.updatedAt);
  });

  test('the trashcan: gone from everywhere, unless it is asked for', async () => {
    await ask(collection, 'createDocument', 'd3', { a: 1 });
    await ask(collection, 'deleteDocument', 'd3');
    const gone = await failure(ask(collection, 'fetchDocument', 'd3'));
    assert.equal(gone.status, 404);
    assert.equal(gone.message, 'Document not found');
    assert.equal(await ask(collection, 'documentExists', 'd3'), false);
    const { result } = await query('get', { _id: 'd3', includeTrash: true });
    assert.equal(result._meta.active, false);
    assert.equal(typeof result._meta.deletedAt, 'number');
    const partial = await failure(query('mDelete', { body: { ids: ['d3', 'nope'] } }));
    assert.equal(partial.status, 206);
    assert.equal(partial.errors[0]._id, 'nope');
  });

  test('what the server tells', async () => {
    assert.equal(typeof await ask(client, 'now'), 'number');
    assert.deepEqual((await ask(client, 'listIndexes')).includes(index), true);
    assert.deepEqual(await ask(client, 'listCollections', index), [{ name: 'c', type: 'stored' }]);
    assert.equal((await ask(client, 'whoAmI')).id, '-1');
    const mapping = await ask(client.collection('c', index).collectionMapping({ a: { type: 'keyword' } }), 'apply');
    assert.deepEqual(mapping.mapping.a, { type: 'keyword' });
  });
});

testEachProtocol(server, 'v6', {
  'documents are written and read, and lie in the trashcan': async (client, place) => {
    const made = await client.document.create(...place, { a: 1 }, 'd1');
    assert.equal(made._meta.author, '-1');
    assert.equal(made._source._kuzzle_info.active, true);
    await client.document.update(...place, 'd1', { b: 2 });
    const got = await client.document.get(...place, 'd1');
    assert.equal(got._source.b, 2);
    assert.equal(got._version, 2);
    await client.document.delete(...place, 'd1');
    assert.equal((await failure(client.document.get(...place, 'd1'))).status, 404);
    const trashed = await client.document.get(...place, 'd1', { includeTrash: true });
    assert.equal(trashed._meta.active, false);
    assert.equal(await client.document.exists(...place, 'd1'), false);
  },

  'several at once': async (client, place) => {
    const made = await client.document.mCreate(...place, [{ _id: 'm1', body: { a: 1 } }, { _id: 'm2', body: {} }]);
    assert.equal(made.total, 2);
    const got = await client.document.mGet(...place, ['m1', 'm2']);
    assert.deepEqual(got.hits.map((hit) => hit._id), ['m1', 'm2']);
    assert.deepEqual(await client.document.mDelete(...place, ['m1']), ['m1']);
  },

  'indexes and collections': async (client, place) => {
    assert.equal(await client.index.exists(place[0]), true);
    assert.equal(await client.collection.exists(...place), true);
    assert.deepEqual((await client.collection.list(place[0])).collections, [{ name: 'c', type: 'stored' }]);
    await client.collection.updateMapping(...place, { properties: { a: { type: 'keyword' } } });
    const mapping = await client.collection.getMapping(...place);
    assert.deepEqual(mapping[place[0]].mappings.c.properties.a, { type: 'keyword' });
    assert.equal(typeof await client.server.now(), 'number');
  },
});

testEachProtocol(server, 'v7', {
  'documents have their metadata inside': async (client, place) => {
    const made = await client.document.create(...place, { a: 1 }, 'd1');
    assert.equal(made._meta, undefined);
    assert.deepEqual(Object.keys(made._source._kuzzle_info), ['author', 'createdAt', 'updatedAt', 'updater']);
    const updated = await client.document.update(...place, 'd1', { b: 2 }, { source: true });
    assert.equal(updated._source.a, 1);
    assert.equal((await client.document.upsert(...place, 'd2', { c: 1 }, { default: { d: 2 } })).created, true);
    assert.equal((await client.document.get(...place, 'd2'))._source.d, 2);
    await client.document.deleteFields(...place, 'd2', ['d']);
    assert.equal((await client.document.get(...place, 'd2'))._source.d, undefined);
    await client.document.delete(...place, 'd1');
    const error = await failure(client.document.get(...place, 'd1'));
    assert.equal(error.id, 'services.storage.not_found');
    const trashed = await client.document.get(...place, 'd1', { includeTrash: true });
    assert.equal(trashed._source.b, 2);
  },

  'several at once, of which some fail': async (client, place) => {
    const made = await client.document.mCreate(...place, [{ _id: 'm1', body: {} }, { _id: 'm1', body: {} }]);
    assert.equal(made.successes.length, 1);
    assert.equal(made.errors[0].reason, 'document already exists');
    const got = await client.document.mGet(...place, ['m1', 'none']);
    assert.equal(got.successes[0]._id, 'm1');
    assert.deepEqual(got.errors, ['none']);
  },

  'indexes and collections': async (client, place) => {
    assert.equal((await failure(client.index.create(place[0]))).id, 'services.storage.index_already_exists');
    assert.ok((await client.index.list()).includes(place[0]));
    await client.collection.update(...place, { mappings: { properties: { a: { type: 'keyword' } } } });
    assert.deepEqual((await client.collection.getMapping(...place)).properties.a, { type: 'keyword' });
    await client.collection.refresh(...place);
    await client.collection.delete(...place);
    assert.equal(await client.collection.exists(...place), false);
  },
});
