// Feeds and streams of Fauna's own driver.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { AbortError, AuthenticationError, ClientError, DateStub, Document, FeedClient, InvalidRequestError, QueryRuntimeError,
  QueryTimeoutError, ServiceError, StreamToken, TimeStub } = require('fauna');
const { Server, Follower, failure, follow, fql, overEachTransport } = require('./server');

const server = Server.forTests();

overEachTransport('events', (transport) => {
  let client;
  let name;
  before(async () => {
    ({ client, name } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "Thing", indexes: {
      byKind: { terms: [{ field: "kind" }], values: [{ field: "n" }] } } })`);
  });

  const data = async (query) => (await client.query(query)).data;
  const sourceOf = (set) => data(fql`${set}.eventSource()`);
  const create = (n, more = {}) => client.query(fql`Thing.create(${{ n, ...more }})`);
  const shown = (events) => events.map(({ type, data: value }) => [type, value]);
  const status = { status_events: true };
  async function fed(source, options) {
    const events = [];
    for await (const event of client.feed(source, options).flatten()) events.push(event);
    return events;
  }

  test('a stream has what is added, updated and removed', async () => {
    const follower = await follow(client.stream(fql`Thing.where(.n > 0).map(.n).eventSource()`, status));
    const { data: { id }, txn_ts } = await create(1);
    await client.query(fql`Thing.byId(${id})!.update({ n: 2 })`);
    await client.query(fql`Thing.byId(${id})!.update({ n: 0 })`);
    await client.query(fql`Thing.byId(${id})!.update({ n: 3 })`);
    await client.query(fql`Thing.byId(${id})!.delete()`);
    const events = await follower.take(5);
    assert.deepEqual(shown(events), [['add', 1], ['update', 2], ['remove', 2], ['add', 3], ['remove', 3]]);
    assert.equal(events[0].txn_ts, txn_ts);
    assert.equal(follower.stream.last_ts, events[4].txn_ts);
    for (const { stats, cursor } of events) {
      assert.equal(typeof cursor, 'string');
      assert.ok(stats.read_ops >= 0 && stats.compute_ops >= 0);
    }
    follower.close();
  });

  test('a status is the first of a stream, and seen only where it is asked for', async () => {
    const source = await sourceOf(fql`Thing.all().map(.n)`);
    await create(7);
    const quiet = new Follower(client.stream(source));
    assert.deepEqual(shown([await quiet.next()]), [['add', 7]]);
    quiet.close();
    const follower = await follow(client.stream(source, status));
    assert.equal(follower.status.type, 'status');
    assert.ok(follower.status.txn_ts > 0 && follower.status.cursor.length > 0);
    follower.close();
  });

  test('a stream is followed by an iterator, too, and ends when it is closed', async () => {
    const source = await sourceOf(fql`Thing.all().map(.n)`);
    await create(1);
    await create(2);
    const seen = [];
    const stream = client.stream(source);
    for await (const event of stream) {
      if (seen.push(event.data) === 2) break;
    }
    stream.close();
    assert.deepEqual(seen, [1, 2]);
    assert.ok((await failure(stream[Symbol.asyncIterator]().next())) instanceof ClientError);
  });

  test('events of one query come whole and in the order of their documents', async () => {
    const follower = await follow(client.stream(fql`Thing.where(.kind == "many").map(.n).eventSource()`, status));
    await client.query(fql`Set.sequence(0, 200).forEach(n => Thing.create({ kind: "many", n: n }))`);
    assert.deepEqual((await follower.take(200)).map((event) => event.data), Array.from({ length: 200 }, (_, n) => n));
    await client.query(fql`Thing.where(.kind == "many").forEach(.delete())`);
    assert.deepEqual(new Set((await follower.take(200)).map((event) => event.type)), new Set(['remove']));
    follower.close();
  });

  test('what came before a stream is played to it whole', async () => {
    const source = await sourceOf(fql`Thing.where(.kind == "before").map(.n)`);
    for (let n = 0; n < 60; ++n) await create(n, { kind: 'before', text: 'x'.repeat(2_000) });
    const follower = await follow(client.stream(source, status));
    assert.deepEqual((await follower.take(60)).map((event) => event.data), Array.from({ length: 60 }, (_, n) => n));
    follower.close();
  });

  test('a stream goes on behind a cursor', async () => {
    const source = await data(fql`Thing.all().map(.n).toStream()`);
    for (const n of [1, 2, 3]) await create(n);
    const all = await follow(client.stream(source, status));
    const [first] = await all.take(3);
    all.close();
    const rest = await follow(client.stream(source, { cursor: first.cursor, ...status }));
    assert.deepEqual(shown(await rest.take(2)), [['add', 2], ['add', 3]]);
    rest.close();
    assert.ok((await failure((async () => client.stream(fql`Thing.all().eventSource()`, { cursor: first.cursor }))()))
      instanceof ClientError);
  });

  test('fields, indexes and single documents are followed', async () => {
    const { data: one } = await create(1, { kind: 'a', other: 1 });
    const fields = await follow(client.stream(fql`Thing.all().eventsOn(.n).map(.n)`, status));
    const index = await follow(client.stream(fql`Thing.byKind("a").map(.n).eventSource()`, status));
    const single = await follow(client.stream(fql`Set.single(${one}).eventSource()`, status));
    await client.query(fql`${one}.update({ other: 2 })`);
    await client.query(fql`${one}.update({ n: 5 })`);
    await client.query(fql`${one}.update({ kind: "b" })`);
    await client.query(fql`${one}.delete()`);
    assert.deepEqual(shown(await fields.take(2)), [['update', 5], ['remove', 5]]);
    // What the index does not cover is no change of it.
    assert.deepEqual(shown(await index.take(2)), [['update', 5], ['remove', 5]]);
    assert.deepEqual((await single.take(4)).map(({ type, data: { id, other, n, kind } }) => [type, id, other, n, kind]), [
      ['update', one.id, 2, 1, 'a'], ['update', one.id, 2, 5, 'a'], ['update', one.id, 2, 5, 'b'], ['remove', one.id, 2, 5, 'b']]);
    for (const follower of [fields, index, single]) follower.close();
  });

  test('values of events are the driver\'s own', async () => {
    const follower = await follow(client.stream(fql`Thing.all().map(thing => {
      time: Time.now(), date: Date.today(), doc: thing, long: 922337036854775808 }).eventSource()`,
    { ...status, long_type: 'bigint' }));
    const { data: { id } } = await create(1, { when: TimeStub.from('2024-01-01T00:00:00Z') });
    const { data: value } = await follower.next();
    assert.ok(value.time instanceof TimeStub && value.date instanceof DateStub && value.doc instanceof Document);
    assert.deepEqual([value.doc.id, value.doc.when.isoString, value.long], [id, '2024-01-01T00:00:00Z', 922337036854775808n]);
    follower.close();
  });

  test('a function that fails ends its stream', async () => {
    for (const [lambda, type, code] of [
      [fql`_ => abort("oops")`, AbortError, 'abort'],
      [fql`thing => notARealFunction(thing)`, QueryRuntimeError, 'unbound_variable'],
      [fql`thing => thing.n / 0`, QueryRuntimeError, 'divide_by_zero'],
      [fql`_ => Thing.create({})`, QueryRuntimeError, 'invalid_effect'],
    ]) {
      const follower = await follow(client.stream(fql`Thing.all().map(${lambda}).eventSource()`, status));
      await create(1);
      const error = await failure(follower.next());
      assert.ok(error instanceof type, error.message);
      assert.deepEqual([error.code, error.abort], [code, code === 'abort' ? 'oops' : undefined]);
    }
  });

  test('a stream that cannot begin says why', async () => {
    const bad = new Follower(client.stream(new StreamToken('2')));
    assert.ok((await failure(bad.next())) instanceof InvalidRequestError);
    const source = await sourceOf(fql`Thing.all()`);
    assert.ok((await failure(new Follower(client.stream(source, { cursor: 'x' })).next())) instanceof InvalidRequestError);
    const refused = await failure(new Follower(server.client('wrong', { transport }).stream(source)).next());
    assert.ok(refused instanceof AuthenticationError);
    assert.equal(refused.message, 'Invalid token, unable to authenticate request');
    assert.ok((await failure(new Follower(client.stream(fql`1`)).next())) instanceof ClientError);
  });

  test('a key that is deleted, or whose ttl passes, ends its streams', async () => {
    for (const end of [
      (key) => client.query(fql`Key.byId(${key.id})!.delete()`),
      () => server.advanceSeconds(60),
    ]) {
      const key = await data(fql`Key.create({ role: "server", ttl: Time.now().add(60, "seconds") })`);
      const user = server.client(key.secret, { transport });
      const follower = await follow(user.stream(fql`Thing.all().map(.n).eventSource()`, status));
      await create(1);
      assert.deepEqual(shown([await follower.next()]), [['add', 1]]);
      await end(key);
      await create(2);
      const error = await failure(follower.next());
      assert.ok(error instanceof ServiceError, error.message);
      assert.deepEqual([error.code, error.message], ['permission_loss', 'Stream authentication is no longer valid.']);
    }
  });

  test('a source made by one secret is followed by another of the database', async () => {
    const source = await sourceOf(fql`Thing.all().map(.n)`);
    const user = server.client(`secret:${name}:server-readonly`, { transport });
    const follower = await follow(user.stream(source, status));
    await create(3);
    assert.deepEqual(shown([await follower.next()]), [['add', 3]]);
    follower.close();
  });

  test('a feed has pages', async () => {
    const source = await sourceOf(fql`Thing.all().map(.n)`);
    await client.query(fql`[1, 2, 3].forEach(n => Thing.create({ n: n }))`);
    const feed = client.feed(source, { page_size: 2 });
    assert.ok(feed instanceof FeedClient);
    const pages = [];
    for await (const page of feed) pages.push([page.hasNext, [...page.events].map((event) => event.data)]);
    assert.deepEqual(pages, [[true, [1, 2]], [false, [3]]]);
    assert.ok((await failure(feed.nextPage())) instanceof ClientError);
    assert.deepEqual((await fed(source)).map((event) => event.data), [1, 2, 3]);
    assert.deepEqual((await fed(fql`Thing.all().eventSource()`)), []);
    const ones = [];
    for await (const page of client.feed(source, { page_size: 1 })) ones.push(page.hasNext);
    assert.deepEqual(ones, [true, true, false]);
  });

  test('a feed goes on from a cursor, or from an instant', async () => {
    const source = await sourceOf(fql`Thing.all().map(.n)`);
    const times = [];
    for (const n of [1, 2, 3]) times.push((await create(n)).txn_ts);
    const [first] = await fed(source);
    assert.deepEqual((await fed(source, { cursor: first.cursor })).map((event) => event.data), [2, 3]);
    assert.deepEqual((await fed(source, { start_ts: times[1] })).map((event) => event.data), [3]);
    const page = await client.feed(source).nextPage();
    assert.equal([...page.events].length, 3);
    assert.ok(page.stats.read_ops >= 0 && page.stats.processing_time_ms >= 0);
    await create(4);
    assert.deepEqual((await fed(source, { cursor: page.cursor })).map((event) => event.data), [4]);
    assert.throws(() => client.feed(source, { cursor: 'x', start_ts: 1 }), TypeError);
  });

  test('a function that fails is an event of its feed, and the next page goes on behind it', async () => {
    const source = await sourceOf(fql`Thing.all().map(thing => if (thing.n == 2) abort("oops") else thing.n)`);
    for (const n of [1, 2, 3]) await create(n);
    const page = await client.feed(source).nextPage();
    const { value } = page.events.next();
    assert.equal(value.data, 1);
    assert.throws(() => page.events.next(), (error) => error instanceof AbortError && error.abort === 'oops');
    assert.deepEqual((await fed(source, { cursor: page.cursor })).map((event) => event.data), [3]);
  });

  test('a feed that cannot be read says why', async () => {
    const source = await sourceOf(fql`Thing.all()`);
    const wrong = async (options, of = source) => failure(client.feed(of, options).nextPage());
    assert.ok((await wrong({}, new StreamToken('2'))) instanceof InvalidRequestError);
    assert.ok((await wrong({ cursor: 'x' })) instanceof InvalidRequestError);
    assert.match((await wrong({ page_size: 16_001 })).message, /page size can not be greater than 16000\.$/);
    assert.match((await wrong({ page_size: -1 })).message, /page size must be greater than zero\.$/);
    const late = await wrong({ query_timeout_ms: 1 });
    assert.ok(late instanceof QueryTimeoutError);
    assert.equal(late.httpStatus, 440);
    assert.ok((await failure(server.client('wrong', { transport }).feed(source).nextPage())) instanceof AuthenticationError);
  });
});

// Moves the clock past what is kept, so it is the last.
test('a source that is older than the history says so', async () => {
  const { client } = await server.freshDatabase();
  await client.query(fql`Collection.create({ name: "Thing" })`);
  const { data: source } = await client.query(fql`Thing.all().map(.n).eventSource()`);
  await client.query(fql`Thing.create({ n: 1 })`);
  await server.advanceSeconds(24 * 60 * 60);
  await client.query(fql`Thing.create({ n: 2 })`);
  const page = await client.feed(source).nextPage();
  assert.throws(() => [...page.events], (error) => error.code === 'invalid_stream_start_time');
  const follower = await follow(client.stream(source, { status_events: true }));
  assert.equal((await failure(follower.next())).code, 'invalid_stream_start_time');
});
