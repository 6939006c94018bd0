// API keys, searches among users, profiles and roles, and all that is asked about credentials.
'use strict';

const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { after, before, test } = require('node:test');
const { Server, failure, ask } = require('./server');

let server;
let client;
before(async () => {
  server = await Server.start();
  client = await server.v7();
  await client.security.createRole('reads', { controllers: { document: { actions: { get: true } }, auth: { actions: { '*': true } } } });
  await client.security.createProfile('readers', { policies: [{ roleId: 'reads' }] });
  for (const n of [1, 2, 3, 4]) {
    const credentials = n === 1 ? { local: { username: 'one', password: 'pw' } } : {};
    await client.security.createUser(`u${n}`,
      { content: { age: 20 + n, profileIds: [n % 2 ? 'readers' : 'default'] }, credentials });
  }
});
after(async () => { await server.stop(); });

test('every action that the clients know of rights, users and the server is offered', async () => {
  const sources = [['kuzzle-sdk-6/src/controllers/security/index.js', 'security'], ['kuzzle-sdk-6/src/controllers/auth.js', 'auth'],
    ['kuzzle-sdk-6/src/controllers/server.js', 'server'], ['kuzzle-sdk-7/out/src/controllers/Security.js', 'security'],
    ['kuzzle-sdk-7/out/src/controllers/Auth.js', 'auth'], ['kuzzle-sdk-7/out/src/controllers/Server.js', 'server'],
    ['kuzzle-sdk-5/src/security/Security.js', 'security']];
  const { result: api } = await client.query({ controller: 'server', action: 'publicApi' });
  for (const [file, controller] of sources) {
    const text = readFileSync(join(__dirname, 'node_modules', file), 'utf8');
    const named = [...text.matchAll(/(?:action:|buildQueryArgs\() ?["'](\w+)["']/g)].map((match) => match[1]);
    assert.ok(named.length > 5, file);
    for (const action of named) assert.ok(api[controller][action], `${file}: ${controller}:${action}`);
  }
});

test('API keys are made, used, found and deleted', async () => {
  const key = await client.security.createApiKey('u1', 'of the robot', { expiresIn: '1h' });
  assert.match(key._source.token, /^kapikey-/);
  assert.equal(key._source.userId, 'u1');
  assert.equal(key._source.ttl, 3600000);
  for (const protocol of ['WebSocket', 'Http']) {
    const robot = await server.v7(protocol);
    robot.setAPIKey(key._source.token);
    assert.equal((await robot.auth.getCurrentUser())._id, 'u1');
    assert.equal((await robot.auth.checkToken()).kuid, 'u1');
    assert.equal((await failure(robot.auth.createApiKey('for ever'))).status, 403);
    const own = await robot.auth.createApiKey('of its own', { _id: `own-${protocol}`, expiresIn: 600000 });
    assert.equal(own._source.ttl, 600000);
    const found = await robot.auth.searchApiKeys({ match: { description: 'own' } });
    assert.deepEqual(found.hits.map((hit) => hit._id), [`own-${protocol}`]);
    assert.equal(found.hits[0]._source.token, undefined);
    const same = await robot.auth.searchApiKeys({ equals: { ttl: 600000 } }, { lang: 'koncorde' });
    assert.equal(same.total, 1);
    await robot.auth.deleteApiKey(`own-${protocol}`);
    assert.equal(await robot.auth.checkRights({ controller: 'document', action: 'get' }), true);
    assert.equal(await robot.auth.checkRights({ controller: 'index', action: 'create' }), false);
  }
  assert.equal((await client.security.searchApiKeys('u1')).total, 1);
  const brief = await client.security.createApiKey('u1', 'brief', { expiresIn: 5000 });
  await server.advance(5000);
  assert.equal((await client.auth.checkToken(brief._source.token)).valid, false);
  await client.security.deleteApiKey('u1', key._id);
  assert.equal((await client.auth.checkToken(key._source.token)).valid, false);
  assert.equal((await client.security.searchApiKeys('u1')).total, 0);
  const late = await server.v7();
  late.setAPIKey(key._source.token);
  assert.equal((await failure(late.auth.getCurrentUser())).status, 401);
});

test('users, profiles and roles are searched and scrolled', async () => {
  const ofVersion1 = [await server.v6(), await server.v6('Http')];
  for (const speaker of [...ofVersion1, client, await server.v7('Http')]) {
    const { security } = speaker;
    const adults = await security.searchUsers({ query: { range: { age: { gt: 22 } } }, sort: [{ age: 'desc' }] });
    // Version 1 looks at the query alone.
    const sorted = ofVersion1.includes(speaker) ? ['u3', 'u4'] : ['u4', 'u3'];
    assert.deepEqual(adults.hits.map((user) => user._id), sorted);
    const ids = [];
    for (let page = await security.searchUsers({}, { size: 3, scroll: '30s' }); page; page = await page.next()) {
      ids.push(...page.hits.map((user) => user._id));
    }
    assert.deepEqual(ids, ['u1', 'u2', 'u3', 'u4']);
    const profiles = await security.searchProfiles({ roles: ['reads'] }, { size: 1, scroll: '30s' });
    assert.deepEqual(profiles.hits.map((profile) => profile._id), ['readers']);
    const roles = await security.searchRoles({ controllers: ['document'] }, { from: 0, size: 9 });
    assert.ok(roles.hits.some((role) => role._id === 'reads'));
    assert.deepEqual((await security.mGetProfiles(['default', 'readers'])).map((one) => one._id), ['default', 'readers']);
    assert.deepEqual((await security.mGetRoles(['reads'])).map((one) => one._id), ['reads']);
    assert.deepEqual((await security.getUserRights('u1')).map((right) => right.action), ['get', '*']);
    assert.equal((await security.getProfileRights('readers')).length, 2);
  }
  const young = await client.security.searchUsers({ query: { range: { age: { lt: 22 } } } }, { lang: 'koncorde' });
  assert.deepEqual(young.hits.map((user) => user._id), ['u1']);
  assert.deepEqual((await client.security.mGetUsers(['u1', 'u3'])).map((user) => user._id), ['u1', 'u3']);
  const old = (await server.v5()).security;
  const page = await ask(old, 'searchUsers', { query: { term: { profileIds: 'readers' } } }, { size: 1, scroll: '30s' });
  assert.equal(page.total, 2);
  const next = await ask(old, 'scrollUsers', page.scrollId, { scroll: '30s' });
  assert.deepEqual([...page.users, ...next.users].map((user) => user.id), ['u1', 'u3']);
  const first = await ask(old, 'searchProfiles', {}, { size: 2, scroll: '30s' });
  assert.equal((await ask(old, 'scrollProfiles', first.scrollId, {})).profiles.length, first.total - 2);
  assert.ok((await ask(old, 'searchRoles', { controllers: ['document'] })).total > 0);
});

test('credentials, strategies, restricted users and mappings', async () => {
  for (const speaker of [await server.v6(), client, await server.v7('Http')]) {
    const { security } = speaker;
    assert.deepEqual(await security.getAllCredentialFields(), { local: ['username', 'password'] });
    assert.deepEqual(await security.getCredentialFields('local'), ['username', 'password']);
    assert.deepEqual(await security.getCredentialsById('local', 'one'), { username: 'one', kuid: 'u1' });
    assert.equal(await security.validateCredentials('local', 'u2', { username: 'two', password: 'pw' }), true);
    assert.equal((await failure(security.validateCredentials('local', 'u2', { username: 'one', password: 'pw' }))).status, 400);
    const made = await security.createRestrictedUser({ content: { name: 'r' }, credentials: {} });
    assert.deepEqual((await security.getUser(made._id)).content.profileIds, ['default']);
    await security.deleteUser(made._id);
    await security.updateUserMapping({ properties: { age: { type: 'long' } } });
    assert.equal((await security.getUserMapping()).mapping.age.type, 'long');
    assert.equal((await security.getProfileMapping()).mapping.policies.properties.roleId.type, 'keyword');
    assert.ok((await security.getRoleMapping()).mapping.controllers);
    assert.equal((await failure(security.deleteRole('anonymous'))).status, 400);
  }
  assert.deepEqual(await client.security.getUserStrategies('u1'), ['local']);
  assert.deepEqual(await client.security.getUserStrategies('u2'), []);
  await client.security.refresh('users');
  assert.equal(await client.security.checkRights('u1', { controller: 'document', action: 'get' }), true);
  assert.equal(await client.security.checkRights('u1', { controller: 'document', action: 'delete' }), false);
  await client.auth.login('local', { username: 'one', password: 'pw' });
  assert.equal(await client.auth.validateMyCredentials('local', { username: 'one', password: 'new' }), true);
  await client.auth.logout();
});

test('Koncorde in searches', async () => {
  const place = await server.collection(client);
  const documents = [1, 2, 3].map((n) => ({ _id: `d${n}`, body: { n, list: [n, n + 1] } }));
  await client.document.mCreate(...place, documents);
  for (const speaker of [client, await server.v7('Http')]) {
    const find = async (query) => {
      const page = await speaker.document.search(...place, { query, sort: ['_id'] }, { lang: 'koncorde' });
      return page.hits.map((hit) => hit._id);
    };
    assert.deepEqual(await find({ range: { n: { gte: 2 } } }), ['d2', 'd3']);
    assert.deepEqual(await find({ select: { field: 'list', index: -1, query: { equals: { value: 3 } } } }), ['d2']);
    assert.deepEqual(await find({ term: { n: 1 } }), ['d1']);
    assert.equal((await failure(find({ unknown: { n: 1 } }))).status, 400);
  }
  const changed = await client.document.updateByQuery(...place, { equals: { n: 1 } }, { k: 1 }, { lang: 'koncorde' });
  assert.equal(changed.successes.length, 1);
  assert.deepEqual(await client.document.deleteByQuery(...place, { query: { exists: 'k' } }, { lang: 'koncorde' }), ['d1']);
});

test('a room is joined by those alone who may listen in its collection', async () => {
  const place = await server.collection(client);
  await client.security.createRole('listens', { controllers: { realtime: { actions: { '*': true } }, auth: { actions: { '*': true } } } });
  await client.security.createProfile('elsewhere',
    { policies: [{ roleId: 'listens', restrictedTo: [{ index: 'elsewhere', collections: ['c'] }] }] });
  await client.security.createUser('eve',
    { content: { profileIds: ['elsewhere'] }, credentials: { local: { username: 'eve', password: 'pw' } } });
  const subscribed = await client.query({ controller: 'realtime', action: 'subscribe', index: place[0],
    collection: place[1], body: {} });
  const eve = await server.v7();
  await eve.auth.login('local', { username: 'eve', password: 'pw' });
  const joining = { controller: 'realtime', action: 'join', body: { roomId: subscribed.result.roomId } };
  assert.equal((await failure(eve.query(joining))).id, 'security.rights.forbidden');
  const other = await server.v7();
  assert.equal((await other.query(joining)).result.roomId, subscribed.result.roomId);
});
