// Sales orders that expire, as in the service's page on TTL, with its current client.
'use strict';

const assert = require('node:assert/strict');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const here = createRequire(join(__dirname, '../../test/conformance/cosmos/package.json'));
const { CosmosClient } = here('@azure/cosmos');

const endpoint = process.env.COSMOS ?? 'http://localhost:8081/';
const native = process.env.NATIVE ?? 'http://localhost:7007/';
const key = process.env.COSMOS_KEY
  ?? 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const DAY = 24 * 60 * 60;

async function pass(seconds) {
  const answer = await fetch(new URL('/v1/clock', native), {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advance_seconds: seconds }),
  });
  assert.equal(answer.status, 200, 'the server must be started with --clock virtual');
}

async function main() {
  const client = new CosmosClient({ endpoint, key });
  const { database } = await client.databases.create({ id: `salesdb-${process.pid}` });

  // TTL is on, and by default nothing expires.
  const partitionKey = { paths: ['/customerId'] };
  const throughput = { offerThroughput: 20000 };
  const { container: orders } = await database.containers.create({ id: 'orders', partitionKey, defaultTtl: -1 }, throughput);
  const customerId = 'CO18009186470';
  const order = (id) => orders.item(id, customerId);
  const exists = async (id) => (await order(id).read()).statusCode === 200;
  await orders.items.create({ id: 'SO04', customerId });
  await pass(365 * DAY);
  assert.ok(await exists('SO04'));
  console.log('with defaultTtl -1 an order lives for ever');

  // All documents expire after 90 days: from now on, or from the creation of the container.
  const { resource: definition } = await orders.read();
  await orders.replace({ ...definition, defaultTtl: 90 * DAY });
  assert.ok(!(await exists('SO04')));
  console.log('with defaultTtl 90 days an order of a year ago is gone at once');
  await orders.delete();
  await database.containers.create({ id: 'orders', partitionKey, defaultTtl: 90 * DAY }, throughput);
  await orders.items.create({ id: 'SO04', customerId });
  await pass(90 * DAY - 1);
  assert.ok(await exists('SO04'));
  await pass(1);
  assert.ok(!(await exists('SO04')));
  console.log('with defaultTtl 90 days an order lives for 90 days, to the second');

  // An order with its own TTL: 30 days.
  await orders.items.create({ id: 'SO05', customerId, ttl: 30 * DAY });
  await pass(30 * DAY - 1);
  assert.ok(await exists('SO05'));

  // Any write restarts its time, and may change the TTL.
  const { resource: read } = await order('SO05').read();
  await order('SO05').replace({ ...read, ttl: 60 * 30 * 30 });
  await pass(60 * 30 * 30 - 1);
  assert.ok(await exists('SO05'));
  console.log('a write begins an order\'s time anew');

  // Without its own TTL it inherits the default; with -1 it does not expire.
  const { ttl, ...inheriting } = (await order('SO05').read()).resource;
  await order('SO05').replace(inheriting);
  await orders.items.create({ id: 'kept', customerId, ttl: -1 });
  await pass(90 * DAY - 1);
  assert.ok(await exists('SO05'));
  await pass(1);
  assert.ok(!(await exists('SO05')));
  const ids = async () => (await orders.items.query('SELECT VALUE c.id FROM c').fetchAll()).resources;
  assert.deepEqual(await ids(), ['kept']);
  console.log('an order without a ttl follows the default, one with -1 lives on');

  // TTL is switched off while the orders' own TTLs run: nothing expires.
  await orders.items.create({ id: 'SO06', customerId, ttl: 30 * DAY });
  await orders.items.create({ id: 'SO07', customerId, ttl: 400 * DAY });
  await pass(20 * DAY);
  const { defaultTtl, ...off } = (await orders.read()).resource;
  await orders.replace(off);
  await pass(365 * DAY);
  assert.deepEqual(await ids(), ['kept', 'SO06', 'SO07']);
  assert.equal((await order('SO06').read()).resource.ttl, 30 * DAY);
  console.log('without a defaultTtl nothing expires');

  // Switched on again, their TTLs count from their last writes.
  await orders.replace({ ...off, defaultTtl });
  assert.deepEqual(await ids(), ['kept', 'SO07']);
  await pass(15 * DAY - 1);
  assert.deepEqual(await ids(), ['kept', 'SO07']);
  await pass(1);
  assert.deepEqual(await ids(), ['kept']);
  console.log('with a defaultTtl again, every order expires by its own ttl');

  await database.delete();
  client.dispose();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
