// Failures as Fauna's own driver sees them: one class for each kind.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { AbortError, AuthenticationError, Client, ClientClosedError, ClientError, ConstraintFailureError,
  ContendedTransactionError, FetchClient, InvalidRequestError, NetworkError, QueryCheckError, QueryRuntimeError,
  QueryTimeoutError, ServiceError, TimeStub } = require('fauna');
const { Server, failure, fql, overEachTransport } = require('./server');

const server = Server.forTests();

overEachTransport('failures', (transport) => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "Thing", constraints: [{ unique: ["email"] }] })`);
    await client.query(fql`Collection.create({ name: "Strict", fields: { name: { signature: "String" } } })`);
  });

  // What a query throws; it must be of the class, and have what each failure of a query has.
  async function thrown(type, query, options) {
    const error = await failure(client.query(query, options));
    assert.ok(error instanceof type, `${error.name}: ${error.message}`);
    return error;
  }

  function assertIsWhole(error) {
    assert.equal(error.httpStatus, 400);
    assert.ok(error.queryInfo.summary.startsWith('error: '), error.queryInfo.summary);
    assert.ok(error.queryInfo.txn_ts > 0);
    assert.ok(error.queryInfo.stats.query_time_ms > 0 && error.queryInfo.stats.compute_ops > 0);
  }

  test('a query that is none', async () => {
    const error = await thrown(QueryCheckError, fql`happy little fox`);
    assertIsWhole(error);
    assert.equal(error.message, 'The query failed 1 validation check');
    assert.match(error.queryInfo.summary, /at \*query\*:1:7/);
    assert.equal((await thrown(QueryCheckError, fql``)).code, 'invalid_query');
    assert.match((await thrown(QueryCheckError, fql`let a = 1`)).queryInfo.summary, /\*query\*:1:/);
  });

  test('a query that fails as it runs', async () => {
    for (const [query, code] of [
      [fql`nothing`, 'unbound_variable'],
      [fql`2 + "2"`, 'invalid_argument'],
      [fql`if (1) 2`, 'type_mismatch'],
      [fql`"x".nope()`, 'invalid_function_invocation'],
      [fql`[1][5]`, 'index_out_of_bounds'],
      [fql`1 / 0`, 'divide_by_zero'],
      [fql`Time("soon")`, 'invalid_time'],
      [fql`Date("2024-02-30")`, 'invalid_date'],
      [fql`Time.now().add(1, "month")`, 'invalid_unit'],
      [fql`"a".matches("(")`, 'invalid_regex'],
      [fql`Thing.all().paginate(0)`, 'invalid_bounds'],
      [fql`Set.paginate("bad")`, 'invalid_cursor'],
      [fql`Thing.byId(1)!.a`, 'document_not_found'],
      [fql`ID("x")`, 'invalid_id'],
      [fql`[1].toSet().eventSource()`, 'invalid_receiver'],
      [fql`Thing.create({}); Thing.all().map(_ => Thing.create({})).toArray()`, 'invalid_effect'],
      [fql`Thing.create({ f: x => x })`, 'invalid_type'],
    ]) {
      const error = await thrown(QueryRuntimeError, query);
      assert.equal(error.code, code, error.message);
      assertIsWhole(error);
    }
    await client.query(fql`Thing.create({ id: 1, email: "one" })`);
    assert.equal((await thrown(QueryRuntimeError, fql`Thing.create({ id: 1 })`)).code, 'document_id_exists');
  });

  test('a query that aborts, with a value of each kind', async () => {
    for (const value of ['oops', 1, null, { why: [1, 2] }, TimeStub.from('2024-01-01T00:00:00Z')]) {
      const error = await thrown(AbortError, fql`abort(${value})`);
      assert.deepEqual(error.abort, value);
      assertIsWhole(error);
    }
    assert.equal((await thrown(AbortError, fql`if (1 == 1) abort("x") else 2`)).queryInfo.stats.compute_ops > 0, true);
  });

  test('a document that breaks a rule', async () => {
    const missing = await thrown(ConstraintFailureError, fql`Strict.create({ other: 1 })`);
    assertIsWhole(missing);
    assert.equal(missing.message, 'Failed to create document in collection `Strict`.');
    assert.deepEqual(missing.constraint_failures.map(({ paths, message }) => [paths, message]), [
      [[['name']], 'Missing required field of type String'], [[['other']], 'Unexpected field provided']]);
    const taken = await thrown(ConstraintFailureError, fql`[1, 2].forEach(_ => Thing.create({ email: "two" }))`);
    assert.deepEqual([taken.message, taken.constraint_failures[0].paths], ['Failed unique constraint.', [['email']]]);
    const reserved = await thrown(ConstraintFailureError, fql`Thing.create({ data: 1 })`);
    assert.deepEqual(reserved.constraint_failures, [
      { paths: [['data']], message: 'Is a reserved field and cannot be used' }]);
    const create = fql`Function.create({ "name": "my_double", "body": "x => x * 2" })`;
    await client.query(create);
    assert.deepEqual((await thrown(ConstraintFailureError, create)).constraint_failures[0].paths, [['name']]);
  });

  test('a request that is none', async () => {
    const retries = await thrown(InvalidRequestError, fql`1`, { max_contention_retries: 8 });
    assert.deepEqual([retries.httpStatus, retries.message], [400,
      "Invalid header 'x-max-contention-retries': Must be between 0 and 7."]);
    assert.equal(retries.queryInfo?.summary, undefined);
    assert.match((await thrown(InvalidRequestError, fql`1`, { format: 'foo' })).message, /^Invalid header 'x-format'/);
    assert.match((await thrown(InvalidRequestError, fql`1`, { query_timeout_ms: 600_001 })).message,
      /Must be less than or equal to 600000\./);
    assert.match((await thrown(InvalidRequestError, fql`1`, { query_tags: { a: 'x'.repeat(81) } })).message, /invalid tags/);
    assert.match((await thrown(InvalidRequestError, fql`1`, { arguments: { a: { '@object': 1 }, 'b c': 1 } })).message,
      /^Invalid /);
    const old = TimeStub.from('2001-01-01T00:00:00Z');
    const beyond = await thrown(InvalidRequestError, fql`at (${old}) { Thing.byId(1) }`);
    assert.match(beyond.message, /^Requested timestamp 2001-01-01T00:00:00Z less than minimum allowed timestamp /);
  });

  test('a secret that is not known', async () => {
    for (const secret of ['wrong', 'secret:nowhere:admin', 'fnAAAAAAAAAAAA', 'secret:nonsense']) {
      const error = await failure(server.client(secret, { transport }).query(fql`1`));
      assert.ok(error instanceof AuthenticationError, error.message);
      assert.deepEqual([error.httpStatus, error.code, error.queryInfo?.summary], [401, 'unauthorized', undefined]);
    }
  });

  test('a deadline that is too short, of which nothing comes', async () => {
    const error = await thrown(QueryTimeoutError, fql`Collection.create({ name: "Wah" })`, { query_timeout_ms: 1 });
    assert.deepEqual([error.httpStatus, error.code], [440, 'time_out']);
    assert.match(error.message, /aggressive deadline/);
    assert.equal((await client.query(fql`Collection.byName("Wah").exists()`)).data, false);
    assert.ok((await thrown(QueryTimeoutError, fql`Thing.byId(1)`, { query_timeout_ms: 1 })) instanceof ServiceError);
  });

  test('a query that takes too long ends at its deadline', async () => {
    const endless = fql`Set.sequence(0, 100000000).fold(0, (sum, n) => sum + n)`;
    const error = await thrown(QueryTimeoutError, endless, { query_timeout_ms: 100 });
    assert.equal(error.httpStatus, 440);
    assert.equal((await client.query(fql`1`)).data, 1);
  });

  test('a server that is not there', async () => {
    const endpoint = new URL('http://127.0.0.1:1');
    const http = transport === 'fetch' ? new FetchClient({ url: endpoint.toString(), fetch_keepalive: false }) : undefined;
    const away = new Client({ endpoint, secret: 'secret' }, http);
    const error = await failure(away.query(fql`1`));
    away.close();
    assert.ok(error instanceof NetworkError);
    assert.ok(error.cause);
  });

  test('a client that is closed', async () => {
    const one = new Client({ endpoint: server.endpoint(transport), secret: 'secret' });
    one.close();
    assert.ok((await failure(one.query(fql`1`))) instanceof ClientClosedError);
    assert.throws(() => one.close(), ClientClosedError);
    assert.ok((await failure((async () => client.stream(fql`1`)[Symbol.asyncIterator]().next())())) instanceof ClientError);
  });

  test('two queries that change what they have read: the driver says how often they were run', async () => {
    await client.query(fql`Thing.create({ id: 7, n: 0 })`);
    const add = fql`let thing = Thing.byId(7)!; thing.update({ n: thing.n + 1 }).n`;
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.query(add, { max_contention_retries: 7 })
      .catch((error) => error)));
    const done = answers.filter((answer) => !(answer instanceof Error));
    for (const error of answers.filter((answer) => answer instanceof Error)) {
      assert.ok(error instanceof ContendedTransactionError, error.message);
      assert.equal(error.httpStatus, 409);
    }
    assert.deepEqual(done.map(({ data }) => data).sort((a, b) => a - b), done.map((_, i) => i + 1));
    assert.equal((await client.query(fql`Thing.byId(7)!.n`)).data, done.length);
    for (const { stats } of done) assert.ok(stats.contention_retries >= 0 && stats.attempts === 1);
  });
});
