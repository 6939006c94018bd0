// Containers of several key ranges: what clients ask range by range, and put together themselves.
'use strict';

const assert = require('node:assert/strict');
const { promisify } = require('node:util');
const { BulkOperationType, ChangeFeedStartFrom } = require('@azure/cosmos');
const { OldClient } = require('./old_client');
const { Server, KEY } = require('./server');

const server = Server.forTests();
const COUNT = 60;
const numbers = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

async function filled(throughput) {
  const container = await server.container({}, { offerThroughput: throughput });
  await Promise.all(numbers(0, COUNT).map((n) => container.items.create({ id: `${n}`, pk: `k${n}`, n, odd: n % 2 })));
  return container;
}

const rangesOf = async (container) => (await container.readPartitionKeyRanges().fetchAll()).resources;
const raise = async (container, throughput) => {
  const { offer, resource } = await container.readOffer();
  await offer.replace({ ...resource, content: { ...resource.content, offerThroughput: throughput } });
};

server.test('a container has as many ranges as its throughput asks for', async () => {
  const large = await server.container({}, { offerThroughput: 30000 });
  assert.deepEqual((await rangesOf(large)).map(({ id }) => id), ['0', '1', '2', '3', '4']);
  assert.equal((await large.getFeedRanges()).length, 5);
  assert.equal((await rangesOf(await server.container({}, { offerThroughput: 10000 }))).length, 1);
  assert.equal((await rangesOf(await server.container({ maxThroughput: 12000 }))).length, 2);
});

server.test('queries find every document once, whichever range it lies in', async () => {
  const container = await filled(30000);
  const all = async (query) => (await container.items.query(query).fetchAll()).resources;
  assert.equal((await all('SELECT * FROM c')).length, COUNT);
  assert.deepEqual(await all('SELECT VALUE c.n FROM c ORDER BY c.n'), numbers(0, COUNT));
  assert.deepEqual(await all('SELECT VALUE COUNT(1) FROM c'), [COUNT]);
  assert.deepEqual(await all("SELECT VALUE c.n FROM c WHERE c.pk = 'k7'"), [7]);
  assert.equal((await container.items.readAll().fetchAll()).resources.length, COUNT);
});

server.test('the change feed is read range by range', async () => {
  const container = await filled(30000);
  const seen = [];
  for (const range of await container.getFeedRanges()) {
    const options = { changeFeedStartFrom: ChangeFeedStartFrom.Beginning(range) };
    for await (const page of container.items.getChangeFeedIterator(options).getAsyncIterator()) {
      if (page.statusCode === 304) break;
      seen.push(...page.result.map(({ n }) => n));
    }
  }
  assert.deepEqual(seen.sort((a, b) => a - b), numbers(0, COUNT));
});

server.test('bulk operations reach the range of their key', async () => {
  const container = await server.container({}, { offerThroughput: 30000 });
  const operations = numbers(0, COUNT).map((n) => ({
    operationType: BulkOperationType.Create, partitionKey: `k${n}`, resourceBody: { id: `${n}`, pk: `k${n}`, n } }));
  const results = await container.items.executeBulkOperations(operations);
  assert.ok(results.every(({ response }) => response.statusCode === 201));
  assert.equal((await container.items.readAll().fetchAll()).resources.length, COUNT);
});

// The client of today looks for the children of a range in change feeds only: its queries stop there for ever.
server.test('a raised throughput splits ranges under a change feed, and under a query of the client of old', async () => {
  const container = await filled(12000);
  const old = new OldClient(server, { masterKey: KEY });
  const link = `dbs/${container.database.id}/colls/c`;
  const order = { enableCrossPartitionQuery: true, maxItemCount: 5 };
  const query = old.plain.queryDocuments(link, 'SELECT * FROM c ORDER BY c.n', order);
  const next = () => promisify(query.nextItem.bind(query))();
  const changes = container.items.getChangeFeedIterator(
    { changeFeedStartFrom: ChangeFeedStartFrom.Beginning(), maxItemCount: 5 });
  const found = [(await next()).n];
  const seen = [...(await changes.readNext()).result];
  await raise(container, 24000);
  assert.equal((await rangesOf(container)).length, 4);
  for (let row = await next(); row; row = await next()) found.push(row.n);
  assert.deepEqual(found, numbers(0, COUNT));
  for (let quiet = 0; quiet < 8; ) {
    const page = await changes.readNext();
    quiet = page.statusCode === 304 ? quiet + 1 : 0;
    seen.push(...(page.result ?? []));
  }
  assert.deepEqual(seen.map(({ n }) => n).sort((a, b) => a - b), numbers(0, COUNT));
  const fresh = server.newClient({ key: KEY });
  const again = fresh.database(container.database.id).container('c');
  assert.deepEqual((await again.items.query('SELECT VALUE c.n FROM c ORDER BY c.n').fetchAll()).resources, numbers(0, COUNT));
  fresh.dispose();
});

server.test('the client of old puts ranges together', async () => {
  const container = await filled(30000);
  const old = new OldClient(server, { masterKey: KEY });
  const link = `dbs/${container.database.id}/colls/c`;
  const all = (query, more = {}) => old.all('queryDocuments', link, query, { enableCrossPartitionQuery: true, ...more });
  assert.equal((await all('SELECT * FROM c')).length, COUNT);
  assert.equal((await all('SELECT * FROM c', { maxDegreeOfParallelism: 3 })).length, COUNT);
  assert.deepEqual((await all('SELECT * FROM c ORDER BY c.n DESC')).map(({ n }) => n), numbers(0, COUNT).reverse());
});
