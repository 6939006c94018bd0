// Feeds and streams of Fauna's own driver.
'use strict';

const assert = require('node:assert/strict');
const { before, describe, test } = require('node:test');
const { AbortError } = require('fauna');
const { Server, fql } = require('./server');

const server = Server.forTests();

describe('events', () => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase());
    await client.query(fql`Collection.create({ name: "Thing" })`);
  });

  // The events up to and with the one that `isLast` says. Nothing is awaited between them: the driver drops what comes
  // while its caller is busy.
  async function eventsOf(stream, isLast, onStatus = async () => {}) {
    const events = [];
    let writing;
    for await (const event of stream) {
      if (event.type === 'status') writing = onStatus();
      else events.push(event);
      if (isLast(event)) break;
    }
    await writing;
    stream.close();
    return events;
  }

  test('a stream has what is added, updated and removed', async () => {
    const stream = client.stream(fql`Thing.where(.n > 0).map(.n).eventSource()`, { status_events: true });
    const events = await eventsOf(stream, (event) => event.type === 'remove', async () => {
      await client.query(fql`Thing.create({ id: 1, n: 1 })`);
      await client.query(fql`Thing.byId(1)!.update({ n: 2 })`);
      await client.query(fql`Thing.byId(1)!.delete()`);
    });
    assert.deepEqual(events.map(({ type, data }) => [type, data]), [['add', 1], ['update', 2], ['remove', 2]]);
  });

  test('a stream goes on behind a cursor', async () => {
    const { data: source } = await client.query(fql`Thing.all().map(.n).toStream()`);
    for (const n of [1, 2, 3]) await client.query(fql`Thing.create({ n: ${n} })`);
    const [first] = await eventsOf(client.stream(source), (event) => event.type === 'add');
    const rest = await eventsOf(client.stream(source, { cursor: first.cursor }), (event) => event.data === 3);
    assert.deepEqual(rest.map(({ data }) => data), [2, 3]);
  });

  test('a function that aborts ends its stream', async () => {
    const stream = client.stream(fql`Thing.all().map(_ => abort("oops")).eventSource()`, { status_events: true });
    const failed = eventsOf(stream, () => false, () => client.query(fql`Thing.create({ n: 1 })`));
    await assert.rejects(failed, (error) => error instanceof AbortError && error.abort === 'oops');
  });

  test('a feed has pages', async () => {
    const { data: source } = await client.query(fql`Thing.all().map(.n).eventSource()`);
    await client.query(fql`[1, 2, 3].forEach(n => Thing.create({ n: n }))`);
    const feed = client.feed(source, { page_size: 2 });
    const pages = [];
    for await (const page of feed) pages.push([...page.events].map((event) => event.data));
    assert.deepEqual(pages, [[1, 2], [3]]);
    const again = [];
    for await (const event of client.feed(source).flatten()) again.push(event.data);
    assert.deepEqual(again, [1, 2, 3]);
  });
});
