// Queries and databases through Fauna's own command line client.
'use strict';

const assert = require('node:assert/strict');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { before, describe, test } = require('node:test');
const { Server, fql } = require('./server');
const { Shell } = require('./shell');

const server = Server.forTests();

describe('the command line', { concurrency: 4 }, () => {
  const shell = new Shell(server);
  before(async () => {
    const { name, client } = await server.freshDatabase();
    shell.secret = `secret:${name}:admin`;
    await client.query(fql`Collection.create({ name: "Thing", constraints: [{ unique: ["name"] }] })`);
    await client.query(fql`Thing.create({ id: 1, name: "a", list: [1, 2.5], when: Time("2024-01-01T00:00:00Z"), text: "x\ny" })`);
  });

  test('a query is an argument, a file or what is piped in', async () => {
    shell.write('.', { 'query.fql': 'let a = 20\na + 1' });
    assert.equal(await shell.ok(['query', '1 + 1']), '2\n');
    assert.equal(await shell.ok(['eval', '"a" + "b"']), '"ab"\n');
    assert.equal(await shell.ok(['query', '-i', 'query.fql']), '21\n');
    assert.equal(await shell.ok(['query', '-'], { input: 'let a = 30\na + 1\n' }), '31\n');
  });

  test('documents are shown as FQL, or as JSON', async () => {
    const fields = 'Thing.byId(1)! { id, name, list, when, text }';
    assert.equal(await shell.ok(['query', fields]), '{\n  id: "1",\n  name: "a",\n  list: [\n    1,\n    2.5\n  ],\n'
      + '  when: Time("2024-01-01T00:00:00Z"),\n  text: <<-END\n    x\n    y\n  END\n}\n');
    const value = { id: '1', name: 'a', list: [1, 2.5], when: '2024-01-01T00:00:00Z', text: 'x\ny' };
    for (const flags of [['--json'], ['-f', 'json'], ['--format', 'json']]) {
      assert.deepEqual(JSON.parse(await shell.ok(['query', fields, ...flags])), value);
    }
    assert.match(await shell.ok(['query', 'Thing.byId(1)']), /^{\n {2}id: "1",\n {2}coll: Thing,\n {2}ts: Time\("/);
    assert.equal(await shell.ok(['query', 'Thing.byId(2)']), 'Thing("2") /* not found */\n');
  });

  test('a result is written to a file', async () => {
    assert.equal(await shell.ok(['query', 'Thing.all().map(.name)', '--json', '-o', 'out.json']), '');
    assert.deepEqual(JSON.parse(readFileSync(join(shell.home, 'out.json'), 'utf8')), { data: ['a'] });
  });

  test('what belongs to an answer is included', async () => {
    const all = await shell.run(['query', 'log("said"); 1', '--include', 'all', '--performance-hints']);
    assert.equal(all.code, 0);
    assert.equal(all.out, '1\n');
    for (const word of [/txnTs: \d+/, /schemaVersion: '?"?\d+/, /summary: .*said/, /stats:/, /compute_ops: 1/]) {
      assert.match(all.err, word);
    }
    const logged = await shell.run(['query', 'log("said"); 1']);
    assert.match(logged.err, /said/);
    assert.equal((await shell.run(['query', 'log("said"); 1', '--include', 'none'])).err, '');
    assert.match((await shell.run(['query', '1', '--include', 'stats', 'txnTs'])).err, /stats:[^]*txnTs: \d+/);
  });

  test('a query that fails is shown with its place', async () => {
    const unread = await shell.refused(['query', 'happy little fox']);
    assert.match(unread, /The query failed with the following error:\n\nerror: .*\nat \*query\*:1:7\n/);
    assert.match(unread, /1 \| happy little fox\n/);
    assert.match(await shell.refused(['query', 'nothing', '--json']), /error: Unbound variable `nothing`/);
    const aborted = await shell.refused(['query', 'abort({ why: "no" })']);
    assert.match(aborted, /error: Query aborted\.[^]*Abort value:\n{\n {2}why: "no"\n}/);
    const taken = await shell.refused(['query', 'Thing.create({ name: "a" })']);
    assert.match(taken, /Constraint failures:[^]*"name"/);
    assert.match(await shell.refused(['query', 'log("said"); abort(1)', '--include', 'stats']), /stats:[^]*error: Query aborted/);
    assert.match(await shell.refused(['query', 'Thing.all().count()', '--timeout', '1']), /aggressive deadline/);
  });

  test('who asks, and where, is checked', async () => {
    assert.match(await shell.refused(['query', '1'], { secret: 'wrong' }), /Access token required/);
    assert.match(await shell.refused(['query', 'Role.create({ name: "r" })'], { secret: shell.secret.replace('admin', 'server') }),
      /Insufficient privileges to perform the action\./);
    assert.match(await shell.refused(['query', '1'], { url: 'http://127.0.0.1:1' }), /Unable to connect to Fauna/);
    assert.match(await shell.refused(['query', '-i', 'nowhere.fql']), /does not exist: nowhere\.fql/);
    assert.match(await shell.refused(['query']), /No query specified/);
    const env = { FAUNA_URL: server.endpoint('h2c').toString(), FAUNA_SECRET: shell.secret };
    assert.equal(await shell.ok(['query', 'Thing.all().count()'], { secret: null, env }), '1\n');
  });

  test('the certificate of a server is trusted by NODE_EXTRA_CA_CERTS', async () => {
    const url = server.endpoint('https').toString();
    assert.equal(await shell.ok(['query', '1 + 1'], { url, env: { NODE_EXTRA_CA_CERTS: server.certificate } }), '2\n');
    assert.match(await shell.refused(['query', '1 + 1'], { url }), /Unable to connect to Fauna/);
  });

  test('types are checked where it is asked for', async () => {
    assert.equal(await shell.ok(['query', 'Thing.byId(1)!.name', '--typecheck']), '"a"\n');
    assert.equal(await shell.ok(['query', 'Thing.byId(1)!.name', '--no-typecheck']), '"a"\n');
  });

  test('the shell answers each line, goes on behind a failure and ends with its input', async () => {
    const input = ['1 + 1', 'Thing.all().count()', 'happy little', 'let x = 1; x + 2', '"a\\nb"', '', 'Thing.byId(1)!.name', ''].join('\n');
    const { code, out, err } = await shell.run(['shell'], { input });
    assert.equal(code, 0);
    const answers = out.split('> ').map((part) => part.trim()).filter((part) => part !== '');
    assert.match(answers[0], /^Type Ctrl\+D or \.exit to exit the shell/);
    // It asks the next line before the last one is answered, so they come in any order.
    for (const answer of ['2', '1', '3', '<<-END\n  a\n  b\nEND', '"a"']) {
      assert.ok(answers.some((part) => part === answer || part.endsWith(`\n${answer}`)), answer);
    }
    assert.match(err, /error: [^]*at \*query\*:1:7/);
  });

  test('the shell has its own commands, and shows JSON where it is asked to', async () => {
    const { code, out, err } = await shell.run(['shell', '--json', '--include', 'none'],
      { input: 'Thing.all().map(.name)\n.toggleInfo\n1\n.exit\n2\n' });
    assert.equal(code, 0);
    assert.match(out, /"data": \[\s*"a"\s*\]/);
    assert.match(err, /Query info in shell: /);
    assert.doesNotMatch(out, /\n2$/);
    assert.match(await shell.refused(['shell'], { secret: 'wrong', input: '1\n' }), /Authentication failed|Access token required/);
  });
});

describe('databases of the command line', () => {
  const shell = new Shell(server);

  test('they are made, listed and deleted', async () => {
    const parent = Server.freshName('cli');
    const made = await shell.run(['database', 'create', '--name', parent, '--typechecked', '--no-protected', '--priority', '5']);
    assert.deepEqual([made.code, made.out, made.err], [0, `${parent}\n`, 'Database successfully created.\n']);
    const inside = { secret: `secret:${parent}:admin` };
    assert.equal(await shell.ok(['database', 'list'], inside), '');
    for (const name of ['one', 'two']) await shell.ok(['db', 'create', '--name', name], inside);
    assert.equal(await shell.ok(['database', 'list'], inside), 'one\ntwo\n');
    assert.deepEqual(JSON.parse(await shell.ok(['database', 'list', '--json', '--page-size', '1'], inside)), [{ name: 'one' }]);
    const deleted = await shell.run(['database', 'delete', '--name', 'one'], inside);
    assert.deepEqual([deleted.code, deleted.err], [0, "Database 'one' was successfully deleted.\n"]);
    assert.equal(await shell.ok(['database', 'list'], inside), 'two\n');
    assert.ok((await shell.ok(['database', 'list'])).split('\n').includes(parent));
    assert.equal(await shell.ok(['query', 'Query.isEnvTypechecked()'], inside), 'true\n');
  });

  test('names that are taken, bad or missing are said', async () => {
    const name = Server.freshName('cli');
    await shell.ok(['database', 'create', '--name', name, '--json']);
    assert.match(await shell.refused(['database', 'create', '--name', name]), /already exists or one of the provided options is invalid/);
    assert.match(await shell.refused(['database', 'create', '--name', '1x']), /The database name '1x' is invalid/);
    assert.match(await shell.refused(['database', 'delete', '--name', 'nothing']), /Database 'nothing' not found/);
    assert.match(await shell.refused(['database', 'create', '--name', 'x'], { secret: `secret:${name}:server` }), /Authorization failed/);
    assert.match(await shell.refused(['database', 'list'], { secret: 'wrong' }), /Authentication failed|Access token required/);
  });
});
