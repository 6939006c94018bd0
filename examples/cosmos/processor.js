// A change feed processor: several readers share the key ranges of a container by leases. A lease is an item whose ttl is
// the time for which it is held, so the leases of a reader that has stopped expire, and another reader takes them.
'use strict';

const assert = require('node:assert/strict');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const here = createRequire(join(__dirname, '../../test/conformance/cosmos/package.json'));
const { ChangeFeedStartFrom, CosmosClient } = here('@azure/cosmos');

const endpoint = process.env.COSMOS ?? 'http://localhost:8081/';
const native = process.env.NATIVE ?? 'http://localhost:7007/';
const key = process.env.COSMOS_KEY
  ?? 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const LEASE_SECONDS = 60;

async function pass(seconds) {
  const answer = await fetch(new URL('/v1/clock', native), {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advance_seconds: seconds }),
  });
  assert.equal(answer.status, 200, 'the server must be started with --clock virtual');
}

// One of several readers of the change feed of `monitored`.
class Processor {
  constructor(name, monitored, leases, handle) {
    Object.assign(this, { name, monitored, leases, handle });
    this.held = new Map(); // the lease of each range that this reader holds
  }

  // Takes ranges that no reader holds, up to a number; among them its own whose leases have expired.
  async acquire(most) {
    for (const range of await this.monitored.getFeedRanges()) {
      const id = `lease ${range.minInclusive}`;
      if (this.held.size >= most && !this.held.has(id)) continue;
      try {
        // If several readers try, only one creates it.
        const { resource } = await this.leases.items.create({ id, owner: this.name, ttl: LEASE_SECONDS });
        this.held.set(id, { range, etag: resource._etag, position: `position ${range.minInclusive}` });
      } catch (error) {
        if (error.code !== 409) throw error;
      }
    }
  }

  // Renews a lease; false if it has expired meanwhile, and another reader may have the range.
  async renew(id, lease) {
    try {
      const condition = { accessCondition: { type: 'IfMatch', condition: lease.etag } };
      const { resource } = await this.leases.item(id, id).replace({ id, owner: this.name, ttl: LEASE_SECONDS }, condition);
      lease.etag = resource._etag;
      return true;
    } catch (error) {
      if (error.code !== 404 && error.code !== 412) throw error;
      this.held.delete(id);
      return false;
    }
  }

  // Handles the changes in each range that it holds. A position is kept once its changes are handled: a reader that
  // stops between the two leaves them to the next reader, which handles them again.
  async work() {
    for (const [id, lease] of [...this.held]) {
      const { resource: kept } = await this.leases.item(lease.position, lease.position).read();
      const start = kept ? ChangeFeedStartFrom.Continuation(kept.continuation) : ChangeFeedStartFrom.Beginning(lease.range);
      const feed = this.monitored.items.getChangeFeedIterator({ changeFeedStartFrom: start, maxItemCount: 10 });
      for (;;) {
        if (!(await this.renew(id, lease))) break;
        const { statusCode, result, continuationToken: continuation } = await feed.readNext();
        if (statusCode === 304) break;
        for (const item of result) this.handle(this.name, item);
        await this.leases.items.upsert({ id: lease.position, continuation });
      }
    }
  }
}

async function main() {
  const client = new CosmosClient({ endpoint, key });
  const { database } = await client.databases.create({ id: `processordb-${process.pid}` });
  const { container: orders } = await database.containers.create(
    { id: 'orders', partitionKey: { paths: ['/customer'] } }, { offerThroughput: 30000 });
  // Positions stay, and leases have their own ttl.
  const { container: leases } = await database.containers.create(
    { id: 'leases', partitionKey: { paths: ['/id'] }, defaultTtl: -1 });

  const handled = new Map();
  const handle = (reader, { id }) => handled.set(id, [...(handled.get(id) ?? []), reader]);
  const write = async (first, end) => {
    for (let i = first; i < end; ++i) await orders.items.create({ id: `${i}`, customer: `customer ${i}` });
  };
  const [one, two] = ['one', 'two'].map((name) => new Processor(name, orders, leases, handle));

  await write(0, 100);
  const ranges = await orders.getFeedRanges();
  await one.acquire(3);
  await two.acquire(ranges.length);
  assert.deepEqual([one.held.size, two.held.size], [3, ranges.length - 3]);
  await Promise.all([one.work(), two.work()]);
  assert.equal(handled.size, 100);
  assert.ok([...handled.values()].every((readers) => readers.length === 1));
  console.log(`two readers share ${ranges.length} ranges, and each change is handled once`);

  // Reader one stops. Its leases last for a minute; until then no reader handles the changes in its ranges.
  await write(100, 200);
  await two.work();
  await two.acquire(ranges.length);
  assert.ok(handled.size < 200);
  await pass(LEASE_SECONDS);
  await two.acquire(ranges.length);
  await two.work();
  assert.equal(handled.size, 200);
  console.log('when the leases of a stopped reader expire, the other one goes on where it stopped');

  // It comes back, and finds that another reader has its ranges.
  await one.work();
  assert.equal(one.held.size, 0);
  assert.ok([...handled.values()].every((readers) => readers.length === 1));
  console.log('a reader that comes back learns that its leases have expired, and handles nothing twice');
  await database.delete();
  client.dispose();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
