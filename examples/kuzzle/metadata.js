// The metadata that Kuzzle keeps for a document, as in its guide, with its client of that time.
'use strict';

const assert = require('node:assert/strict');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const here = createRequire(join(__dirname, '../../test/conformance/kuzzle/package.json'));
const Kuzzle = here('kuzzle-sdk-5');

const address = new URL(process.env.KUZZLE ?? 'http://localhost:7512');
const native = process.env.NATIVE ?? 'http://localhost:7007';
const index = `myindex-${process.pid}`;

async function pass(seconds) {
  const answer = await fetch(new URL('/v1/clock', native), {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advance_seconds: seconds }),
  });
  assert.equal(answer.status, 200, 'the server must be started with --clock virtual');
}

function connect() {
  return new Promise((done, failed) => {
    const client = new Kuzzle(address.hostname, { port: Number(address.port) }, (error) => {
      error ? failed(error) : done(client);
    });
  });
}

async function main() {
  const kuzzle = await connect();
  const call = (object, name, ...args) => new Promise((done, failed) => {
    object[name](...args, (error, result) => { error ? failed(error) : done(result); });
  });
  // The guide describes the API itself: the answers of the server, before the client makes objects of them.
  const ask = (action, message = {}) => new Promise((done, failed) => {
    kuzzle.query({ controller: 'document', action, index, collection: 'mycollection' }, message,
      (error, answer) => { error ? failed(error) : done(answer.result); });
  });
  await call(kuzzle, 'createIndex', index);
  const collection = kuzzle.collection('mycollection', index);
  await call(collection, 'create');

  // A document is created: its metadata are beside its content.
  const created = await call(collection, 'createDocument', 'AVkDLAdCsT6qHI7MxLz4', { message: 'Hey! Ho!' });
  const { _source, _meta } = await ask('get', { _id: created.id });
  assert.deepEqual(_source, { message: 'Hey! Ho!' });
  assert.deepEqual(_meta, {
    author: '-1', createdAt: _meta.createdAt, updatedAt: null, updater: null, active: true, deletedAt: null,
  });
  console.log('created:', JSON.stringify(_meta));

  // It is updated.
  await pass(60);
  await call(collection, 'updateDocument', created.id, { message: 'Let\'s go!' });
  const updated = (await ask('get', { _id: created.id }))._meta;
  assert.equal(updated.createdAt, _meta.createdAt);
  assert.equal(updated.updatedAt, updated.createdAt + 60_000);
  assert.equal(updated.updater, '-1');
  console.log('updated:', JSON.stringify(updated));

  // Metadata can be queried like any other property.
  await call(collection, 'createDocument', 'later', { message: 'Hey! Ho!' });
  const found = await ask('search', { body: { query: { range: { '_meta.createdAt': { lte: _meta.createdAt } } } } });
  assert.deepEqual(found.hits.map((hit) => hit._id), [created.id]);
  assert.deepEqual(found.hits[0]._meta, updated);
  console.log('found by _meta.createdAt:', found.hits[0]._id);

  // It is deleted: it is in the trashcan, and is not accessed, searched or counted.
  await pass(60);
  await call(collection, 'deleteDocument', created.id);
  await assert.rejects(ask('get', { _id: created.id }), { status: 404 });
  assert.equal((await ask('search', { body: {} })).total, 1);
  assert.equal((await ask('count', { body: {} })).count, 1);

  // Unless includeTrash is set.
  const trashed = await ask('get', { _id: created.id, includeTrash: true });
  assert.equal(trashed._meta.active, false);
  assert.equal(trashed._meta.deletedAt, updated.updatedAt + 60_000);
  assert.equal((await ask('search', { body: {}, includeTrash: true })).total, 2);
  assert.equal((await ask('count', { body: {}, includeTrash: true })).count, 2);
  console.log('in the trashcan:', JSON.stringify(trashed._meta));
  kuzzle.disconnect();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
