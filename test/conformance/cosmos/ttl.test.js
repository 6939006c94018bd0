'use strict';

const assert = require('node:assert/strict');
const { Server, failure } = require('./server');

const server = Server.forTests();
const test = server.test.bind(server);

const alive = async (container, id) => (await container.item(id, 'a').read()).statusCode === 200;

test('items live as long as the container and they themselves say', async () => {
  const container = await server.container({ defaultTtl: 5 });
  for (const [id, ttl] of [['inherits', undefined], ['never', -1], ['short', 2], ['long', 8]]) {
    await container.items.create({ id, pk: 'a', ttl });
  }
  const living = async () => (await container.items.query('SELECT VALUE c.id FROM c').fetchAll()).resources;
  await server.advance(2);
  assert.deepEqual(await living(), ['inherits', 'never', 'long']);
  await server.advance(3);
  assert.deepEqual(await living(), ['never', 'long']);
  await server.advance(3);
  assert.deepEqual(await living(), ['never']);
  const count = await container.items.query('SELECT VALUE COUNT(1) FROM c').fetchAll();
  assert.deepEqual(count.resources, [1]);
});

test('a write restarts the clock', async () => {
  const container = await server.container({ defaultTtl: 5 });
  await container.items.create({ id: '1', pk: 'a' });
  await server.advance(4);
  await container.item('1', 'a').patch([{ op: 'set', path: '/x', value: 1 }]);
  await server.advance(4);
  assert.ok(await alive(container, '1'));
  await server.advance(1);
  assert.ok(!(await alive(container, '1')));
  assert.equal((await container.items.create({ id: '1', pk: 'a' })).statusCode, 201);
});

test('a ttl that is none is refused in the words of the service', async () => {
  const container = await server.container({ defaultTtl: 5 });
  const error = await failure(container.items.create({ id: '1', pk: 'a', ttl: 0 }));
  assert.equal(error.code, 400);
  assert.match(error.message, /The input ttl '0' is invalid\. Ensure to provide a nonzero positive integer/);
});

// T60
test('a server that was away does not bring the dead back', async () => {
  const container = await server.container({ defaultTtl: 5 });
  await container.items.create({ id: '1', pk: 'a' });
  await server.advance(5);
  await server.restart();
  const again = server.again(container);
  assert.ok(!(await alive(again, '1')));
});

test('a server that was away forgets no deadline', async () => {
  const container = await server.container({ defaultTtl: 5 });
  for (const [id, ttl] of [['inherits', undefined], ['long', 8]]) await container.items.create({ id, pk: 'a', ttl });
  await server.advance(4);
  await server.restart();
  const again = server.again(container);
  const living = async () => (await again.items.query('SELECT VALUE c.id FROM c').fetchAll()).resources;
  assert.deepEqual(await living(), ['inherits', 'long']);
  await server.advance(1);
  assert.ok(!(await alive(again, 'inherits')));
  assert.deepEqual(await living(), ['long']);
  await server.advance(2);
  assert.ok(await alive(again, 'long'));
  await server.advance(1);
  assert.ok(!(await alive(again, 'long')));
});

const ids = (rows) => rows.map((row) => row.id);
const nativeIds = async (database) =>
  ids((await server.fetchNative('GET', `v1/databases/${database}/collections/c/documents`)).body.documents);
const centraliIds = async (database) =>
  ids((await server.fetchNative('GET', `data/workspace/${database}/api/v1/records/slug/c`)).body.data);

test('what is written here has the same life for other dialects', async () => {
  const container = await server.container({ defaultTtl: 60 });
  const { id } = container.database;
  await container.items.create({ id: '1', pk: 'a', ttl: 10 });
  await container.items.create({ id: '2', pk: 'b' });
  await server.advance(9);
  assert.deepEqual((await nativeIds(id)).sort(), ['1', '2']);
  assert.deepEqual((await centraliIds(id)).sort(), ['1', '2']);
  await server.advance(1);
  assert.deepEqual(await nativeIds(id), ['2']);
  assert.deepEqual(await centraliIds(id), ['2']);
  await server.advance(50);
  assert.deepEqual(await nativeIds(id), []);
  assert.deepEqual(await centraliIds(id), []);
});

test('what other dialects write has the same life here', async () => {
  const database = Server.freshName('d');
  const path = `v1/databases/${database}/collections/c`;
  await server.fetchNative('PUT', `v1/databases/${database}`);
  await server.fetchNative('PUT', path, {});
  await server.fetchNative('PUT', `${path}/documents/1?ttl=10`, { n: 1 });
  await server.fetchNative('PUT', `${path}/documents/2`, { n: 2 });
  const container = server.client.database(database).container('c');
  const listed = async () => ids((await container.items.query('SELECT * FROM c').fetchAll()).resources);
  await server.advance(9);
  assert.equal((await container.item('1').read()).resource.n, 1);
  assert.deepEqual(await listed(), ['1', '2']);
  await server.advance(1);
  assert.equal((await container.item('1').read()).statusCode, 404);
  assert.deepEqual(await listed(), ['2']);
  assert.deepEqual(await centraliIds(database), ['2']);
});
