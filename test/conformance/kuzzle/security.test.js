// Users and their rights, and searches, through Kuzzle's own clients.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Server, failure, ask } = require('./server');

const server = Server.forTests();

test('searches, pages and scrolls of each generation', async () => {
  const client = await server.v7();
  const [index, collection] = await server.collection(client);
  const documents = [1, 2, 3, 4, 5].map((n) => ({ _id: `d${n}`, body: { n } }));
  await client.document.mCreate(index, collection, documents);
  await client.document.delete(index, collection, 'd5');
  const collect = async (page) => {
    const ids = [];
    for (; page; page = await page.next()) ids.push(...page.hits.map((hit) => hit._id));
    return ids;
  };
  const all = ['d1', 'd2', 'd3', 'd4'];
  for (const protocol of ['WebSocket', 'Http']) {
    for (const speaker of [await server.v6(protocol), await server.v7(protocol)]) {
      const search = (body, options) => speaker.document.search(index, collection, body, options);
      assert.deepEqual(await collect(await search({ sort: [{ n: 'asc' }] }, { size: 2 })), all);
      assert.deepEqual(await collect(await search({}, { size: 3, scroll: '30s' })), all);
      assert.deepEqual(await collect(await search({}, { from: 0, size: 3 })), all);
      assert.equal((await search({}, { includeTrash: true })).total, 5);
      assert.equal(await speaker.document.count(index, collection, { query: { range: { n: { gt: 2 } } } }), 2);
    }
  }
  const old = (await server.v5()).collection(collection, index);
  const result = await ask(old, 'search', { sort: [{ n: 'desc' }] }, { size: 1 });
  assert.deepEqual(result.getDocuments().map((document) => document.id), ['d4']);
  assert.equal(result.getTotal(), 4);
  assert.deepEqual(await client.document.deleteByQuery(index, collection, { query: { term: { n: 1 } } }), ['d1']);
});

test('the first administrator, logins, tokens and rights', async () => {
  const client = await server.v7();
  const place = await server.collection(client);
  await client.document.create(...place, {}, 'd1');
  await client.query({ controller: 'security', action: 'createFirstAdmin', _id: 'boss', reset: true,
    body: { content: {}, credentials: { local: { username: 'boss', password: 'a secret' } } } });
  assert.equal((await failure(client.document.get(...place, 'd1'))).id, 'security.rights.unauthorized');
  assert.equal((await failure(client.document.search(...place, {}))).status, 401);
  assert.equal((await failure(client.auth.login('local', { username: 'boss', password: 'no' }))).status, 401);
  await client.auth.login('local', { username: 'boss', password: 'a secret' }, '1h');
  assert.equal((await client.auth.getCurrentUser())._id, 'boss');
  assert.equal((await client.auth.checkToken()).valid, true);
  assert.deepEqual((await client.document.search(...place, {})).hits.map((hit) => hit._id), ['d1']);
  const made = await client.document.create(...place, {}, 'd2');
  assert.equal(made._source._kuzzle_info.author, 'boss');
  await client.security.createRole('reads', { controllers: { document: { actions: { get: true } } } });
  await client.security.createProfile('readers', { policies: [{ roleId: 'reads' }] });
  await client.security.createUser('eve',
    { content: { profileIds: ['readers'] }, credentials: { local: { username: 'eve', password: 'pw' } } });
  for (const speaker of [await server.v6(), await server.v7('Http')]) {
    await speaker.auth.login('local', { username: 'eve', password: 'pw' });
    assert.equal((await speaker.document.get(...place, 'd1'))._id, 'd1');
    assert.equal((await failure(speaker.document.delete(...place, 'd1'))).status, 403);
  }
  const old = await server.v5();
  await new Promise((done, failed) => {
    old.login('local', { username: 'eve', password: 'pw' }, (error) => { error ? failed(error) : done(); });
  });
  assert.equal((await ask(old.collection(place[1], place[0]), 'fetchDocument', 'd1')).id, 'd1');
  assert.equal((await client.security.searchUsers({})).total, 2);
  await client.auth.logout();
  assert.equal((await failure(client.document.get(...place, 'd1'))).status, 401);
});
