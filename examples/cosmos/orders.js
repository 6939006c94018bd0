// Sales orders that expire, as the service's page on TTL tells it, through its client of today.
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
  const answer = await fetch(`${native}v1/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: seconds }) });
  assert.equal(answer.status, 200, 'the server must be started with --clock virtual');
}

async function main() {
  const client = new CosmosClient({ endpoint, key });
  const { database } = await client.databases.create({ id: `salesdb-${process.pid}` });

  // TTL is on, and by default nothing expires.
  const { container: orders } = await database.containers.create(
    { id: 'orders', partitionKey: { paths: ['/cid'] }, defaultTtl: -1 }, { offerThroughput: 20000 });
  const exists = async (id) => (await orders.item(id, 'CO18009186470').read()).statusCode === 200;
  await orders.items.create({ id: 'SO04', cid: 'CO18009186470' });
  await pass(365 * DAY);
  assert.ok(await exists('SO04'));
  console.log('with defaultTtl -1 an order lives for ever');

  // All documents expire after 90 days.
  const { resource: definition } = await orders.read();
  await orders.replace({ ...definition, defaultTtl: 90 * DAY });
  assert.ok(!(await exists('SO04')));
  console.log('with defaultTtl 90 days an order of a year ago is gone at once');

  // An order with a TTL of its own: 30 days.
  await orders.items.create({ id: 'SO05', cid: 'CO18009186470', ttl: 30 * DAY });
  await pass(30 * DAY - 1);
  assert.ok(await exists('SO05'));

  // Any write begins its time anew, and may change it.
  const { resource: order } = await orders.item('SO05', 'CO18009186470').read();
  await orders.item('SO05', 'CO18009186470').replace({ ...order, ttl: 30 * 30 * 60 });
  await pass(30 * 30 * 60 - 1);
  assert.ok(await exists('SO05'));
  console.log('a write begins an order\'s time anew');

  // Without a TTL of its own it inherits the default.
  const { resource: again } = await orders.item('SO05', 'CO18009186470').read();
  delete again.ttl;
  await orders.item('SO05', 'CO18009186470').replace(again);
  await pass(90 * DAY - 1);
  assert.ok(await exists('SO05'));
  await pass(1);
  assert.ok(!(await exists('SO05')));
  assert.deepEqual((await orders.items.query('SELECT * FROM c').fetchAll()).resources, []);
  console.log('an order without a ttl follows the default, to the second');

  // TTL off: nothing expires, also not what has a TTL of its own.
  const { resource: last } = await orders.read();
  delete last.defaultTtl;
  await orders.replace(last);
  await orders.items.create({ id: 'SO06', cid: 'CO18009186470', ttl: 1 });
  await pass(365 * DAY);
  assert.ok(await exists('SO06'));
  console.log('without a defaultTtl nothing expires');

  await database.delete();
  client.dispose();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
