// What Fauna's own driver says and hears beside its queries: instants, tags, statistics, logs, sessions.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { before, test } = require('node:test');
const { promisify } = require('node:util');
const { Client, NodeHTTP2Client } = require('fauna');
const { Server, failure, follow, fql, overEachTransport } = require('./server');

const server = Server.forTests();

overEachTransport('connections', (transport) => {
  let client;
  let name;
  before(async () => {
    ({ client, name } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "Thing" })`);
  });

  const again = (options = {}) => server.client(`secret:${name}:admin`, { transport, ...options });

  test('no answer has an earlier instant, and the client sends the last one back', async () => {
    const one = again();
    assert.equal(one.lastTxnTs, undefined);
    let last = 0;
    for (const query of [fql`1`, fql`1`, fql`Thing.create({})`, fql`Thing.all().count()`, fql`Time.now()`]) {
      const { txn_ts } = await one.query(query);
      assert.ok(txn_ts >= last, `${txn_ts} after ${last}`);
      assert.equal(one.lastTxnTs, txn_ts);
      last = txn_ts;
    }
    const failed = await failure(one.query(fql`abort(1)`));
    assert.ok(failed.queryInfo.txn_ts > 0);
    assert.equal(one.lastTxnTs, last);
    one.lastTxnTs = last - 1;
    assert.equal(one.lastTxnTs, last);
  });

  test('a client reads what another has written, whose instant it knows', async () => {
    const [writer, reader] = [again(), again()];
    for (let n = 0; n < 10; ++n) {
      const { data: { id } } = await writer.query(fql`Thing.create({ n: ${n} })`);
      reader.lastTxnTs = writer.lastTxnTs;
      const { data: value, txn_ts } = await reader.query(fql`Thing.byId(${id})!.n`);
      assert.equal(value, n);
      assert.ok(txn_ts >= writer.lastTxnTs);
    }
    reader.lastTxnTs = writer.lastTxnTs + 1_000_000;
    assert.equal((await reader.query(fql`1`)).data, 1);
  });

  test('all writes of a query have its instant', async () => {
    const { data: [a, b], txn_ts } = await client.query(fql`[Thing.create({}), Thing.create({})]`);
    assert.equal(a.ts.isoString, b.ts.isoString);
    const millis = Date.parse(a.ts.isoString);
    const micros = Number(a.ts.isoString.match(/\.\d{3}(\d{3})Z$/)?.[1] ?? 0);
    assert.equal(millis * 1000 + micros, txn_ts);
  });

  test('the schema has a version, which its changes move', async () => {
    const made = await client.query(fql`Collection.create({ name: "Later" })`);
    assert.equal((await client.query(fql`1`)).schema_version, made.txn_ts);
    await client.query(fql`Later.create({})`);
    assert.equal((await client.query(fql`1`)).schema_version, made.txn_ts);
    const { client: fresh } = await server.freshDatabase({ transport });
    assert.equal((await fresh.query(fql`1`)).schema_version, 0);
  });

  test('tags come back, with answers and with failures', async () => {
    const query_tags = { project: 'teapot', hello: 'world', testing: 'foobar' };
    const tagged = again({ query_tags });
    assert.deepEqual((await tagged.query(fql`1`)).query_tags, query_tags);
    assert.deepEqual((await failure(tagged.query(fql`nothing`))).queryInfo.query_tags, query_tags);
    assert.deepEqual((await tagged.query(fql`1`, { query_tags: { other: '1' } })).query_tags, { other: '1' });
    assert.equal((await client.query(fql`1`)).query_tags, undefined);
  });

  test('what a query logs is its summary', async () => {
    const { summary } = await client.query(fql`log("foo", 1, { a: 2 }); log("bar"); 1`);
    assert.match(summary, /^info( at \*query\*:1)?: foo 1 { a: 2 }\n\ninfo( at \*query\*:1)?: bar$/);
    const failed = await failure(client.query(fql`log("before"); abort(1)`));
    assert.match(failed.queryInfo.summary, /^error: [^]*\n\ninfo( at \*query\*:1)?: before$/);
    const { data, summary: debugged } = await client.query(fql`dbg("foo")`);
    assert.equal(data, 'foo');
    assert.match(debugged, /^info: "foo"/);
    assert.equal((await client.query(fql`1`)).summary, '');
  });

  test('statistics are counted', async () => {
    const { stats: written } = await client.query(fql`[1, 2, 3].forEach(n => Thing.create({ n: n }))`);
    assert.ok(written.write_ops >= 3 && written.storage_bytes_write > 0, JSON.stringify(written));
    const { stats: read } = await client.query(fql`Thing.all().toArray().length`);
    assert.ok(read.read_ops > 0 && read.storage_bytes_read > 0 && read.write_ops === 0, JSON.stringify(read));
    const { stats } = await client.query(fql`1`);
    assert.deepEqual([stats.compute_ops, stats.read_ops, stats.write_ops, stats.contention_retries, stats.attempts,
      stats.rate_limits_hit], [1, 0, 0, 0, 1, []]);
    assert.ok(stats.query_time_ms > 0);
    assert.equal((await failure(client.query(fql`abort(1)`))).queryInfo.stats.compute_ops, 1);
  });

  test('each setting of the driver is taken', async () => {
    const all = again({ linearized: true, max_contention_retries: 5, performance_hints: true, typecheck: false,
      query_timeout_ms: 60_000, traceparent: '00-750efa5fb6a131eb2cf4db39f28366cb-5669e71839eca76b-00', query_tags: { a: 'b' } });
    assert.equal((await all.query(fql`Thing.all().count() >= 0`)).data, true);
    assert.equal((await all.query(fql`1`, { linearized: false, traceparent: 'none', max_contention_retries: 0 })).data, 1);
  });

  test('many queries and streams at once', async () => {
    const followers = await Promise.all(Array.from({ length: 20 }, () =>
      follow(client.stream(fql`Thing.where(.kind == "wide").map(.n).eventSource()`, { status_events: true }))));
    const asked = Array.from({ length: 100 }, (_, n) => client.query(fql`${n} + 1`));
    assert.deepEqual((await Promise.all(asked)).map(({ data }) => data), asked.map((_, n) => n + 1));
    await client.query(fql`Thing.create({ kind: "wide", n: 7 })`);
    for (const follower of followers) {
      assert.equal((await follower.next()).data, 7);
      follower.close();
    }
  });
});

test('clients of one server share a session, and one that closes leaves it to the others', async () => {
  const endpoint = server.endpoint('h2c');
  const of = () => NodeHTTP2Client.getClient({ url: endpoint.toString(), http2_session_idle_ms: 1_234, http2_max_streams: 10 });
  const [one, two] = [of(), of()];
  assert.equal(one, two);
  const [first, second] = [one, two].map((http) => new Client({ endpoint, secret: 'secret', query_timeout_ms: 60_000 }, http));
  assert.equal((await first.query(fql`1`)).data, 1);
  first.close();
  assert.equal((await second.query(fql`2`)).data, 2);
  assert.equal(two.isClosed(), false);
  second.close();
  assert.equal(two.isClosed(), true);
});

test('a second server is another one', async () => {
  const other = await Server.start();
  try {
    await server.client().query(fql`Collection.create({ name: "OnlyHere" })`);
    assert.equal((await other.client().query(fql`Collection.byName("OnlyHere") == null`)).data, true);
    assert.equal((await server.client().query(fql`Collection.byName("OnlyHere") == null`)).data, false);
  } finally {
    await other.stop();
  }
});

test('a program reads its endpoint and secret from the environment, and trusts the certificate by NODE_EXTRA_CA_CERTS', async () => {
  const program = `
    const { Client, fql } = require('fauna');
    const client = new Client();
    client.query(fql\`"taco".length\`).then(({ data }) => console.log(data), (error) => console.log(error.name))
      .finally(() => client.close());`;
  const run = async (environment) => (await promisify(execFile)(process.execPath, ['-e', program], {
    cwd: __dirname, env: { PATH: process.env.PATH, FAUNA_SECRET: 'secret', ...environment } })).stdout.trim();
  const secure = server.endpoint('https').toString();
  assert.equal(await run({ FAUNA_ENDPOINT: server.endpoint('h2c').toString() }), '4');
  assert.equal(await run({ FAUNA_ENDPOINT: secure, NODE_EXTRA_CA_CERTS: server.certificate }), '4');
  assert.equal(await run({ FAUNA_ENDPOINT: secure }), 'NetworkError');
});

test('a server that ends says so to its sessions, and the client comes again to the next one', async () => {
  const one = await Server.start();
  try {
    const client = one.client();
    await client.query(fql`Collection.create({ name: "Kept" })`);
    one.ports.fauna = new URL(one.fauna).port;
    one.clients = [];  // the client lives on
    await one.restart();
    assert.equal((await client.query(fql`Collection.byName("Kept").exists()`)).data, true);
    client.close();
  } finally {
    await one.stop();
  }
});
