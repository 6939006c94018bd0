'use strict';

const assert = require('node:assert/strict');
const { PermissionMode } = require('@azure/cosmos');
const { Server, failure } = require('./server');

const server = Server.forTests();
const test = server.test.bind(server);

test('the account tells where it was reached', async () => {
  const { resource } = await server.client.getDatabaseAccount();
  assert.equal(resource.writableLocations[0].databaseAccountEndpoint, server.endpoint);
  assert.equal(resource.consistencyPolicy, 'Session');
});

test('databases are created, listed, queried and deleted', async () => {
  const { databases } = server.client;
  const id = Server.freshName('d');
  const { database, resource } = await databases.createIfNotExists({ id });
  assert.equal(Buffer.from(resource._rid, 'base64').length, 4);
  assert.equal((await databases.createIfNotExists({ id })).statusCode, 200);
  assert.equal((await failure(databases.create({ id }))).code, 409);
  assert.ok((await databases.readAll().fetchAll()).resources.some((each) => each.id === id));
  const found = await databases.query({
    query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: id }],
  }).fetchAll();
  assert.deepEqual(found.resources.map((each) => each.id), [id]);
  assert.equal((await database.delete()).statusCode, 204);
  assert.equal((await failure(database.read())).code, 404);
});

test('containers keep what they were defined as', async () => {
  const container = await server.container({
    defaultTtl: 60,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] },
    indexingPolicy: { includedPaths: [{ path: '/*' }], compositeIndexes: [[{ path: '/a' }, { path: '/b', order: 'descending' }]] },
  });
  const { resource } = await container.read();
  assert.equal(resource.defaultTtl, 60);
  assert.equal(resource.indexingPolicy.indexingMode, 'consistent');
  assert.deepEqual(resource.indexingPolicy.excludedPaths, [{ path: '/"_etag"/?' }]);
  assert.equal(resource.indexingPolicy.compositeIndexes[0][0].order, 'ascending');
  assert.equal(Buffer.from(resource._rid, 'base64').length, 8);
  delete resource.defaultTtl;
  assert.equal((await container.replace(resource)).resource.defaultTtl, undefined);
  const listed = await container.database.containers.readAll().fetchAll();
  assert.deepEqual(listed.resources.map((c) => c.id), ['c']);
});

test('items are created, read, replaced, upserted and deleted', async () => {
  const container = await server.container();
  const made = await container.items.create({ id: '1', pk: 'a', n: 1 });
  assert.equal(made.statusCode, 201);
  assert.ok(made.requestCharge > 0);
  assert.equal(made.resource._etag, made.etag);
  const item = container.item('1', 'a');
  assert.equal((await item.read()).resource.n, 1);
  assert.equal((await container.item('1', 'b').read()).statusCode, 404);
  const replaced = await item.replace({ id: '1', pk: 'a', n: 2 });
  assert.equal(replaced.resource._rid, made.resource._rid);
  assert.notEqual(replaced.etag, made.etag);
  const stale = { accessCondition: { type: 'IfMatch', condition: made.etag } };
  assert.equal((await failure(item.replace({ id: '1', pk: 'a' }, stale))).code, 412);
  assert.equal((await container.items.upsert({ id: '1', pk: 'a', n: 3 })).statusCode, 200);
  assert.equal((await container.items.upsert({ id: '2', pk: 'a' })).statusCode, 201);
  assert.equal((await failure(container.items.create({ id: '1', pk: 'a' }))).code, 409);
  assert.equal((await item.delete()).statusCode, 204);
  assert.equal((await failure(item.delete())).code, 404);
});

test('ids and partition keys of every kind come back', async () => {
  const container = await server.container();
  for (const id of ['a b', '%', 'a%20b', 'a%3Fb', 'a+b', 'ü', '😀', '"', "it's", 'a&b=c']) {
    await container.items.create({ id, pk: id });
    const item = container.item(id, id);
    assert.equal((await item.read()).resource.id, id);
    assert.equal((await item.replace({ id, pk: id, n: 1 })).resource.id, id);
    assert.equal((await item.patch([{ op: 'incr', path: '/n', value: 1 }])).resource.n, 2);
    assert.equal((await container.items.upsert({ id, pk: id, n: 3 })).statusCode, 200);
    assert.equal((await item.delete()).statusCode, 204);
    assert.equal((await item.read()).statusCode, 404);
  }
  for (const pk of [1, 1.5, true, false, null]) {
    await container.items.create({ id: 'same', pk });
    assert.equal((await container.item('same', pk).read()).resource.pk, pk);
  }
  await container.items.create({ id: 'same' });
  assert.equal((await container.item('same', undefined).read()).resource.pk, undefined);
});

// The client leaves a question mark in a path as it is, where it begins a query; elsewhere it is part of the id.
test('ids with question marks come back', async () => {
  const container = await server.container();
  for (const id of ['?', 'a?b', 'a?b=c']) {
    assert.equal((await container.items.create({ id, pk: 'a' })).resource.id, id);
    assert.equal((await container.items.upsert({ id, pk: 'a', n: 1 })).statusCode, 200);
    const { result } = await container.items.batch([
      { operationType: 'Read', id },
      { operationType: 'Patch', id, resourceBody: { operations: [{ op: 'incr', path: '/n', value: 1 }] } },
    ], 'a');
    assert.deepEqual(result.map(({ resourceBody }) => [resourceBody.id, resourceBody.n]), [[id, 1], [id, 2]]);
    const query = { query: 'SELECT VALUE c.n FROM c WHERE c.id = @id', parameters: [{ name: '@id', value: id }] };
    assert.deepEqual((await container.items.query(query).fetchAll()).resources, [2]);
    assert.equal((await container.items.batch([{ operationType: 'Delete', id }], 'a')).code, 200);
  }
  assert.deepEqual((await container.items.readAll().fetchAll()).resources, []);
});

test('hierarchical partition keys address and restrict', async () => {
  const container = await server.container({ partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } });
  for (const user of ['u', 'v']) await container.items.create({ id: '1', tenant: 't', user });
  await container.items.create({ id: '1', tenant: 'other', user: 'u' });
  assert.equal((await container.item('1', ['t', 'v']).read()).resource.user, 'v');
  const all = await container.items.query('SELECT * FROM c', { partitionKey: ['t'] }).fetchAll();
  assert.deepEqual(all.resources.map((r) => r.user), ['u', 'v']);
});

test('pages go on where they stopped', async () => {
  const container = await server.container();
  for (let i = 0; i < 5; ++i) await container.items.create({ id: `${i}`, pk: i % 2 ? 'a' : 'b' });
  const pages = [];
  const all = container.items.readAll({ maxItemCount: 2 });
  while (all.hasMoreResults()) {
    const { resources } = await all.fetchNext();
    if (resources && resources.length) pages.push(resources.map((r) => r.id));
  }
  assert.deepEqual(pages.flat(), ['0', '1', '2', '3', '4']);
  assert.equal(pages[0].length, 2);
  const refused = await failure(container.items.readAll({ continuationToken: 'junk' }).fetchNext());
  assert.equal(refused.code, 400);
});

test('patches change what they name', async () => {
  const container = await server.container();
  await container.items.create({ id: '1', pk: 'a', n: 1, list: [1, 2], text: 'x' });
  const item = container.item('1', 'a');
  const { resource } = await item.patch([
    { op: 'incr', path: '/n', value: 2 }, { op: 'add', path: '/list/-', value: 3 }, { op: 'set', path: '/new', value: { a: 1 } },
    { op: 'remove', path: '/text' }, { op: 'move', from: '/new', path: '/moved' },
  ]);
  assert.equal(resource.n, 3);
  assert.deepEqual(resource.list, [1, 2, 3]);
  assert.deepEqual(resource.moved, { a: 1 });
  assert.equal(resource.text, undefined);
  const condition = (n) => ({ operations: [{ op: 'set', path: '/n', value: 9 }], condition: `from c where c.n > ${n}` });
  assert.equal((await failure(item.patch(condition(5)))).code, 412);
  assert.equal((await item.patch(condition(2))).resource.n, 9);
  for (const path of ['/id', '/pk', '/_ts']) {
    assert.equal((await failure(item.patch([{ op: 'set', path, value: 'x' }]))).code, 400);
  }
});

test('a batch is done as a whole or not at all', async () => {
  const container = await server.container();
  const done = await container.items.batch([
    { operationType: 'Create', resourceBody: { id: '1', pk: 'a' } },
    { operationType: 'Upsert', resourceBody: { id: '2', pk: 'a', n: 1 } },
    { operationType: 'Read', id: '1' },
    { operationType: 'Replace', id: '2', resourceBody: { id: '2', pk: 'a', n: 2 } },
    { operationType: 'Patch', id: '2', resourceBody: { operations: [{ op: 'incr', path: '/n', value: 5 }] } },
    { operationType: 'Delete', id: '1' },
  ], 'a');
  assert.equal(done.code, 200);
  assert.deepEqual(done.result.map((r) => r.statusCode), [201, 201, 200, 200, 200, 204]);
  assert.equal((await container.item('2', 'a').read()).resource.n, 7);
  const failed = await container.items.batch([
    { operationType: 'Create', resourceBody: { id: '3', pk: 'a' } },
    { operationType: 'Create', resourceBody: { id: '2', pk: 'a' } },
    { operationType: 'Create', resourceBody: { id: '4', pk: 'a' } },
  ], 'a');
  assert.equal(failed.code, 207);
  assert.deepEqual(failed.result.map((r) => r.statusCode), [424, 409, 424]);
  assert.equal((await container.item('3', 'a').read()).statusCode, 404);
});

test('all items of a partition key are deleted, and no others', async () => {
  const container = await server.container();
  for (const [id, pk] of [['1', 'a'], ['2', 'a'], ['1', 'b']]) await container.items.create({ id, pk });
  assert.equal((await container.deleteAllItemsForPartitionKey('a')).statusCode, 200);
  assert.equal((await container.item('1', 'a').read()).statusCode, 404);
  assert.deepEqual((await container.items.query('SELECT VALUE c.pk FROM c').fetchAll()).resources, ['b']);
});

test('bulk operations are done each by itself', async () => {
  const container = await server.container();
  const done = await container.items.executeBulkOperations([
    { operationType: 'Create', partitionKey: 'a', resourceBody: { id: '1', pk: 'a' } },
    { operationType: 'Create', partitionKey: 'a', resourceBody: { id: '1', pk: 'a' } },
    { operationType: 'Read', partitionKey: 'b', id: 'none' },
    { operationType: 'Upsert', partitionKey: 'b', resourceBody: { id: '2', pk: 'b' } },
  ]);
  assert.deepEqual(done.map((r) => (r.response || r.error).statusCode || r.error.code), [201, 409, 404, 201]);
});

// The container as the holder of a permission on it sees it.
async function seenBy({ resource }, container, work) {
  const holder = server.newClient({ resourceTokens: { [container.url]: resource._token } });
  try {
    return await work(holder.database(container.database.id).container(container.id));
  } finally {
    holder.dispose();
  }
}

test('users hold permissions, and tokens do what these allow', async () => {
  const container = await server.container();
  await container.items.create({ id: '1', pk: 'a' });
  const { user } = await container.database.users.create({ id: 'u' });
  const made = await user.permissions.create({ id: 'p', permissionMode: PermissionMode.Read, resource: container.url });
  await seenBy(made, container, async (seen) => {
    assert.equal((await seen.item('1', 'a').read()).statusCode, 200);
    assert.deepEqual((await seen.items.query('SELECT VALUE c.id FROM c').fetchAll()).resources, ['1']);
    assert.equal((await failure(seen.items.create({ id: '2', pk: 'a' }))).code, 403);
  });
});

test('users are read, listed, queried, replaced, upserted and deleted', async () => {
  const { database } = await server.container();
  const { user } = await database.users.create({ id: 'u' });
  assert.equal((await failure(database.users.create({ id: 'u' }))).code, 409);
  assert.equal((await user.read()).resource.id, 'u');
  assert.equal((await database.users.upsert({ id: 'v' })).statusCode, 201);
  const listed = async (users) => (await users.fetchAll()).resources.map(({ id }) => id).sort();
  assert.deepEqual(await listed(database.users.readAll()), ['u', 'v']);
  assert.deepEqual(await listed(database.users.query('SELECT * FROM u WHERE u.id = "v"')), ['v']);
  assert.equal((await user.replace({ id: 'u' })).resource.id, 'u');
  await user.delete();
  assert.equal((await failure(user.read())).code, 404);
  assert.deepEqual(await listed(database.users.readAll()), ['v']);
});

test('a user is renamed by being replaced', async () => {
  const { database } = await server.container();
  const { user, resource } = await database.users.create({ id: 'u' });
  const { resource: renamed } = await user.replace({ id: 'w' });
  assert.deepEqual([renamed.id, renamed._rid], ['w', resource._rid]);
  assert.equal((await database.user('w').read()).resource.id, 'w');
  assert.equal((await failure(user.read())).code, 404);
});

test('permissions are listed, replaced, upserted and deleted', async () => {
  const container = await server.container();
  const { user } = await container.database.users.create({ id: 'u' });
  const definition = { id: 'p', permissionMode: PermissionMode.Read, resource: container.url };
  const { permission } = await user.permissions.create(definition);
  assert.equal((await failure(user.permissions.create(definition))).code, 409);
  const create = (id) => async (seen) => (await seen.items.create({ id, pk: 'a' })).statusCode;
  assert.equal((await failure(seenBy(await permission.read(), container, create('1')))).code, 403);
  const replaced = await permission.replace({ ...definition, permissionMode: PermissionMode.All });
  assert.equal(replaced.resource.permissionMode, PermissionMode.All);
  assert.equal(await seenBy(replaced, container, create('2')), 201);
  const upserted = await user.permissions.upsert(definition);
  assert.equal(upserted.statusCode, 200);
  assert.equal((await failure(seenBy(upserted, container, create('3')))).code, 403);
  const listed = async () => (await user.permissions.readAll().fetchAll()).resources.map(({ id }) => id);
  assert.deepEqual(await listed(), ['p']);
  await permission.delete();
  assert.equal((await failure(permission.read())).code, 404);
  assert.deepEqual(await listed(), []);
});

test('throughput is told and changed', async () => {
  const container = await server.container({}, { offerThroughput: 1000 });
  const { resource, offer } = await container.readOffer();
  assert.equal(resource.content.offerThroughput, 1000);
  resource.content.offerThroughput = 500;
  await offer.replace(resource);
  assert.equal((await container.readOffer()).resource.content.offerThroughput, 500);
});

test('one range holds every partition key, and nothing is in conflict', async () => {
  const container = await server.container();
  const { resources: ranges } = await container.readPartitionKeyRanges().fetchAll();
  assert.deepEqual(ranges.map(({ id, minInclusive, maxExclusive }) => [id, minInclusive, maxExclusive]), [['0', '', 'FF']]);
  const { conflicts } = container;
  assert.deepEqual((await conflicts.readAll().fetchAll()).resources, []);
  assert.deepEqual((await conflicts.query('SELECT * FROM c').fetchAll()).resources, []);
  assert.equal((await failure(container.conflict('none', 'a').read())).code, 404);
  assert.equal((await failure(container.conflict('none', 'a').delete())).code, 404);
});
