// The change feed as the client's iterators read it.
'use strict';

const assert = require('node:assert/strict');
const { ChangeFeedMode, ChangeFeedPolicy, ChangeFeedRetentionTimeSpan, ChangeFeedStartFrom } = require('@azure/cosmos');
const { until } = require('../server');
const { Server, failure } = require('./server');

const server = Server.forTests();
const test = server.test.bind(server);

const feedOf = (container, changeFeedStartFrom, options) =>
  container.items.getChangeFeedIterator({ changeFeedStartFrom, ...options });

// What it tells until there is no more.
async function drain(feed) {
  const rows = [];
  for (;;) {
    const answer = await feed.readNext();
    if (answer.statusCode === 304) return rows;
    rows.push(...answer.result);
  }
}

const told = async (feed) => (await drain(feed)).map(({ id, n }) => `${id}:${n}`);

test('the change feed tells what was written, once', async () => {
  const container = await server.container();
  const feed = feedOf(container, ChangeFeedStartFrom.Beginning());
  await container.items.create({ id: '1', pk: 'a', n: 1 });
  await container.items.create({ id: '2', pk: 'b', n: 1 });
  await container.items.upsert({ id: '1', pk: 'a', n: 2 });
  assert.deepEqual(await told(feed), ['2:1', '1:2']);
  assert.deepEqual(await told(feed), []);
  await container.items.create({ id: '3', pk: 'a', n: 1 });
  assert.deepEqual(await told(feed), ['3:1']);
});

test('the change feed of a partition key tells of no other', async () => {
  const container = await server.container({ defaultTtl: -1 });
  for (const [id, pk] of [['1', 'a'], ['2', 'b'], ['3', 'a']]) await container.items.create({ id, pk, n: 1 });
  await container.items.create({ id: 'dead', pk: 'a', ttl: 1 });
  await server.advance(1);
  const feed = feedOf(container, ChangeFeedStartFrom.Beginning('a'));
  assert.deepEqual(await told(feed), ['1:1', '3:1']);
  await container.items.upsert({ id: '2', pk: 'b', n: 2 });
  assert.deepEqual(await told(feed), []);
  await container.items.upsert({ id: '1', pk: 'a', n: 2 });
  assert.deepEqual(await told(feed), ['1:2']);
});

test('the iterator of old tells the same', async () => {
  const container = await server.container();
  for (const [id, pk] of [['1', 'a'], ['2', 'b'], ['3', 'a']]) await container.items.create({ id, pk });
  const feed = container.items.changeFeed('a', { startFromBeginning: true, maxItemCount: 1 });
  const pages = [];
  do pages.push((await feed.fetchNext()).result?.map(({ id }) => id)); while (feed.hasMoreResults);
  assert.deepEqual(pages.flat().filter(Boolean), ['1', '3']);
});

test('the change feed of a prefix of a hierarchical key tells of all that begin so', async () => {
  const container = await server.container({ partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } });
  for (const [id, tenant, user] of [['1', 't', 'u'], ['2', 'other', 'u'], ['3', 't', 'v']]) {
    await container.items.create({ id, tenant, user, n: 1 });
  }
  assert.deepEqual(await told(feedOf(container, ChangeFeedStartFrom.Beginning(['t']))), ['1:1', '3:1']);
  assert.deepEqual(await told(feedOf(container, ChangeFeedStartFrom.Beginning(['t', 'v']))), ['3:1']);
});

test('the change feed begins at a time, or now', async () => {
  const container = await server.container();
  const { resource } = await container.items.create({ id: '1', pk: 'a', n: 1 });
  await server.advance(10);
  await container.items.create({ id: '2', pk: 'a', n: 1 });
  await container.items.create({ id: '3', pk: 'b', n: 1 });
  const time = new Date((resource._ts + 5) * 1000);
  const [all, one] = [[], ['a']].map((key) => feedOf(container, ChangeFeedStartFrom.Now(...key)));
  assert.deepEqual(await told(feedOf(container, ChangeFeedStartFrom.Time(time))), ['2:1', '3:1']);
  assert.deepEqual(await told(feedOf(container, ChangeFeedStartFrom.Time(time, 'a'))), ['2:1']);
  assert.deepEqual([await told(all), await told(one)], [[], []]);
  await container.items.create({ id: '4', pk: 'b', n: 1 });
  await container.items.upsert({ id: '1', pk: 'a', n: 2 });
  assert.deepEqual([await told(all), await told(one)], [['4:1', '1:2'], ['1:2']]);
});

const hashed = (definition) => server.container({ partitionKey: { paths: ['/pk'], version: 2 }, ...definition });

// A part of the range that the container is.
async function rangeOf(container, minInclusive, maxExclusive) {
  const [whole, ...others] = await container.getFeedRanges();
  assert.deepEqual([whole.minInclusive, whole.maxExclusive, others], ['', 'FF', []]);
  return new whole.constructor(minInclusive, maxExclusive);
}

// Of "a" the hash is 3A53…, of "asdf" 208B…, of "redmond" 22E3….
test('the change feed of a range tells of the keys whose hashes lie in it', async () => {
  const container = await hashed();
  for (const pk of ['a', 'asdf', 'redmond']) await container.items.create({ id: pk, pk, n: 1 });
  const over = async (...ends) => told(feedOf(container, ChangeFeedStartFrom.Beginning(await rangeOf(container, ...ends))));
  assert.deepEqual(await over('', 'FF'), ['a:1', 'asdf:1', 'redmond:1']);
  assert.deepEqual(await over('', '30'), ['asdf:1', 'redmond:1']);
  assert.deepEqual(await over('21', '3B'), ['a:1', 'redmond:1']);
  assert.deepEqual(await over('3B', 'FF'), []);
});

test('the change feed goes on from a continuation, also after the server was away', async () => {
  const container = await hashed();
  for (const id of ['1', '2', '3']) await container.items.create({ id, pk: 'a', n: 1 });
  await container.items.create({ id: '4', pk: 'asdf', n: 1 });
  const begun = [];
  for (const [part, rest] of [[undefined, ['2:1', '3:1', '4:1']], ['a', ['2:1', '3:1']],
    [await rangeOf(container, '30', 'FF'), ['2:1', '3:1']]]) {
    const { result, continuationToken } =
      await feedOf(container, ChangeFeedStartFrom.Beginning(part), { maxItemCount: 1 }).readNext();
    assert.deepEqual(result.map(({ id }) => id), ['1']);
    assert.deepEqual(await told(feedOf(container, ChangeFeedStartFrom.Continuation(continuationToken))), rest);
    begun.push([continuationToken, rest]);
  }
  await server.restart();
  for (const [token, rest] of begun) {
    assert.deepEqual(await told(feedOf(server.again(container), ChangeFeedStartFrom.Continuation(token))), rest);
  }
});

const ALL = { changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes };
const kept = () =>
  hashed({ defaultTtl: -1, changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(10)) });

test('all versions and deletes are told, expiries as such and with their second', async () => {
  const container = await kept();
  const parts = [undefined, 'a', await rangeOf(container, '30', 'FF')];
  const feeds = parts.map((part) => feedOf(container, ChangeFeedStartFrom.Now(part), ALL));
  for (const feed of feeds) assert.deepEqual(await drain(feed), []);
  await container.items.create({ id: '1', pk: 'a', n: 1 });
  await container.item('1', 'a').replace({ id: '1', pk: 'a', n: 2 });
  await container.item('1', 'a').delete();
  const { resource: dying } = await container.items.create({ id: '2', pk: 'a', n: 3, ttl: 5 });
  await server.advance(60);
  for (const feed of feeds) {
    const rows = [];
    await until(async () => rows.push(...(await drain(feed))) >= 5);
    const { metadata: death } = rows.at(-1);
    assert.equal(death.crts, dying._ts + 5);
    assert.deepEqual(rows.map(({ metadata: { operationType, id, partitionKey, timeToLiveExpired }, current }) =>
      [operationType, id, partitionKey.pk, current?.n, timeToLiveExpired]), [
      ['create', '1', 'a', 1, undefined], ['replace', '1', 'a', 2, undefined], ['delete', '1', 'a', undefined, undefined],
      ['create', '2', 'a', 3, undefined], ['delete', '2', 'a', undefined, true]]);
  }
});

test('all versions and deletes go on from a continuation, and begin nowhere before their retention', async () => {
  const container = await kept();
  const feed = feedOf(container, ChangeFeedStartFrom.Now(), { ...ALL, maxItemCount: 1 });
  await feed.readNext();
  for (const id of ['1', '2']) await container.items.create({ id, pk: 'a' });
  await container.item('1', 'a').delete();
  const { continuationToken, result } = await feed.readNext();
  assert.equal(result[0].metadata.id, '1');
  const rest = await drain(feedOf(container, ChangeFeedStartFrom.Continuation(continuationToken), ALL));
  assert.deepEqual(rest.map(({ metadata }) => `${metadata.operationType} ${metadata.id}`), ['create 2', 'delete 1']);
  const early = await failure(feedOf(container, ChangeFeedStartFrom.Beginning(), ALL).readNext());
  assert.equal(early.code, 400);
  assert.match(early.message, /You must read the change feed from within the retention period/);
});
