// What the clients of Kuzzle 2 get that version 1 does otherwise.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Server, failure, testEachProtocol } = require('./server');

const server = Server.forTests();

testEachProtocol(server, 'v7', {
  async 'a new collection brings its index'(client) {
    const index = Server.freshName('new');
    assert.equal(await client.index.exists(index), false);
    await client.collection.create(index, 'c', {});
    assert.equal(await client.index.exists(index), true);
    assert.equal((await failure(client.collection.create(index, '_kuzzle_keep', {}))).id, 'services.storage.collection_reserved');
  },

  async 'a strict mapping, and values of its types'(client, [index]) {
    const mappings = { dynamic: 'strict', properties: { age: { type: 'long' } } };
    await client.collection.create(index, 'strict', { mappings });
    assert.deepEqual(await client.collection.getMapping(index, 'strict'), mappings);
    const unnamed = await failure(client.document.create(index, 'strict', { name: 'x' }));
    assert.equal(unnamed.id, 'services.storage.strict_mapping_rejection');
    assert.equal((await failure(client.document.create(index, 'strict', { age: 'old' }))).status, 400);
    assert.deepEqual((await client.document.create(index, 'strict', { age: '42' }, 'd'))._source.age, '42');
    const changed = await failure(client.collection.update(index, 'strict', { mappings: { properties: { age: { type: 'text' } } } }));
    assert.equal(changed.id, 'services.storage.invalid_mapping');
  },

  async 'several documents at once, strictly'(client, place) {
    await client.document.create(...place, {}, 'there');
    const { successes, errors } = await client.document.mGet(...place, ['there', 'none']);
    assert.deepEqual([successes.length, errors], [1, ['none']]);
    const strict = await failure(client.document.mGet(...place, ['there', 'none'], { strict: true }));
    assert.equal(strict.id, 'api.process.incomplete_multiple_request');
    const wrong = await client.document.mUpdate(...place, [{ _id: 'there', body: 5 }]);
    assert.equal(wrong.errors[0].reason, 'document body must be an object');
  },

  async 'roles name actions that exist, unless it is forced'(client) {
    const role = { controllers: { nowhere: { actions: { get: true } } } };
    const id = Server.freshName('role');
    assert.equal((await failure(client.security.createRole(id, role))).id, 'security.role.unknown_controller');
    await client.security.createRole(id, role, { force: true });
    assert.deepEqual((await client.security.getRole(id)).controllers, role.controllers);
    assert.equal((await failure(client.security.getProfileRights('none'))).id, 'security.profile.not_found');
  },
});

test('notifications name what was done, what has changed, and what has left', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  const told = [];
  let more = () => {};
  await client.realtime.subscribe(...place, { range: { n: { gt: 0 } } }, (notification) => { told.push(notification); more(); });
  const next = async () => {
    while (told.length === 0) await new Promise((done) => { more = done; });
    return told.shift();
  };
  await client.document.createOrReplace(...place, 'd', { n: 1 });
  assert.equal((await next()).action, 'create');
  await client.document.createOrReplace(...place, 'd', { n: 2, o: { p: 1 } });
  assert.equal((await next()).action, 'replace');
  await client.document.update(...place, 'd', { n: 3, o: { p: 2 } });
  const updated = await next();
  assert.deepEqual([updated.action, updated.result._updatedFields], ['update', ['n', 'o.p']]);
  await client.document.update(...place, 'd', { n: 0 });
  const left = await next();
  assert.deepEqual([left.scope, left.result._source.n], ['out', 0]);
  await client.document.update(...place, 'd', { n: 5 });
  assert.equal((await next()).scope, 'in');
  await client.document.delete(...place, 'd');
  const gone = await next();
  assert.deepEqual([gone.scope, gone.action, gone.result._source.n], ['out', 'delete', 5]);
});
