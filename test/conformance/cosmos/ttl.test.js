'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { Server, failure } = require('./server');

let server;
before(async () => { server = await Server.start(); });
after(async () => { await server.stop(); });

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

test('a server that was away does not bring the dead back', async () => {
  const container = await server.container({ defaultTtl: 5 });
  await container.items.create({ id: '1', pk: 'a' });
  await server.advance(5);
  await server.restart();
  const again = server.client.database(container.database.id).container('c');
  assert.ok(!(await alive(again, '1')));
});

test('other dialects see the same life', async () => {
  const container = await server.container({ defaultTtl: 60 });
  await container.items.create({ id: '1', pk: 'a', ttl: 10 });
  const path = `v1/databases/${container.database.id}/collections/c/documents`;
  const listed = async () => (await server.fetchNative('GET', path)).body.documents.map((d) => d.id);
  assert.deepEqual(await listed(), ['1']);
  await server.advance(10);
  assert.deepEqual(await listed(), []);
});
