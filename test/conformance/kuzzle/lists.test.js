// Lists and searches as each generation's client asks for them by itself.
'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { Server, ask, failure } = require('./server');

let server;
let client;
before(async () => {
  server = await Server.start();
  client = await server.v7();
  await client.security.createRole('reads', { controllers: { document: { actions: { get: true } } } });
  await client.security.createProfile('readers', { policies: [{ roleId: 'reads' }] });
  for (const name of ['u1', 'u2']) {
    await client.security.createUser(name, { content: { profileIds: [name === 'u1' ? 'readers' : 'default'] } });
  }
});
after(async () => { await server.stop(); });

const names = (list) => list.map((collection) => collection.name);

test('a list of size 0 has all collections', async () => {
  const [index] = await server.collection(client);
  await client.collection.create(index, 'd', {});
  for (const protocol of ['WebSocket', 'Http']) {
    for (const speaker of [await server.v6(protocol), await server.v7(protocol)]) {
      for (const options of [{}, { size: 0 }, { from: 0, size: 0 }]) {
        assert.deepEqual(names((await speaker.collection.list(index, options)).collections), ['c', 'd']);
      }
      const rest = await speaker.collection.list(index, { from: 1, size: 1 });
      assert.deepEqual(names(rest.collections), ['d']);
      assert.deepEqual([rest.from, rest.size], [1, 1]);
    }
  }
  const old = await server.v5({ defaultIndex: index });
  assert.deepEqual(names(await ask(old, 'listCollections', index, { from: 0, size: 0 })), ['c', 'd']);
});

test('version 1 looks at one member of each search of users, profiles and roles', async () => {
  const noise = { match_all: {}, sort: [{ nonsense: 'x' }] };
  const builtIn = ['admin', 'anonymous', 'default'];
  const old = await server.v5();
  const found = async (name, body) => {
    const key = name.slice('search'.length).toLowerCase();
    return (await ask(old.security, name, body, {}))[key].map((one) => one.id).sort();
  };
  assert.deepEqual(await found('searchRoles', { ...noise }), [...builtIn, 'reads']);
  assert.deepEqual(await found('searchRoles', { query: { roles: ['x'] }, controllers: ['index'] }), builtIn);
  assert.deepEqual(await found('searchProfiles', { query: { roles: ['reads'] } }), [...builtIn, 'readers']);
  assert.deepEqual(await found('searchProfiles', { roles: ['reads'], ...noise }), ['readers']);
  assert.deepEqual(await found('searchUsers', { ...noise }), ['u1', 'u2']);
  assert.deepEqual(await found('searchUsers', { query: { term: { profileIds: 'readers' } }, ...noise }), ['u1']);

  for (const protocol of ['WebSocket', 'Http']) {
    const later = await server.v6(protocol);
    const ids = (result) => result.hits.map((one) => one._id).sort();
    assert.deepEqual(ids(await later.security.searchRoles({ ...noise, controllers: ['index'] })), builtIn);
    assert.deepEqual(ids(await later.security.searchProfiles({ ...noise, roles: ['reads'] })), ['readers']);
    assert.deepEqual(ids(await later.security.searchUsers({ ...noise })), ['u1', 'u2']);
  }
  const found7 = await client.security.searchUsers({ query: { term: { profileIds: 'readers' } } });
  assert.deepEqual(found7.hits.map((one) => one._id), ['u1']);
  assert.equal((await failure(client.security.searchUsers({ query: { nonsense: {} } }))).status, 400);
});
