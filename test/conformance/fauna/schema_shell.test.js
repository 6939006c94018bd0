// Schemas through Fauna's own command line client: push, status, diff, commit, abandon, pull.
'use strict';

const assert = require('node:assert/strict');
const { mkdirSync, readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { before, describe, test } = require('node:test');
const { Server, fql } = require('./server');
const { Shell } = require('./shell');

const server = Server.forTests();
const MAIN = `// The shop.
collection Product {
  name: String
  price: Number

  ttl_days 30

  index byName {
    terms [.name]
  }
}
`;
const WITH_COLOR = MAIN.replace('price: Number', 'price: Number\n  color: String?');
const MORE = `function double(x) {
  x * 2
}
`;

describe('schemas of the command line', () => {
  const shell = new Shell(server);
  let client;
  before(async () => {
    const { name, client: made } = await server.freshDatabase();
    client = made;
    shell.secret = `secret:${name}:admin`;
    shell.write('schema', { 'main.fsl': MAIN, 'lib/more.fsl': MORE });
    mkdirSync(join(shell.home, 'empty'));
  });

  const schema = (command, ...flags) => ['schema', command, '--dir', 'schema', ...flags];

  test('what is only here is a change, in each of the forms', async () => {
    assert.match(await shell.ok(['schema', 'status', '--dir', 'empty']), /^Staged changes: none\nLocal changes: no schema files found in /);
    const status = await shell.ok(schema('status'));
    assert.match(status, /^Staged changes: none\nLocal changes:\n/);
    assert.match(status, /\* Adding collection `Product` to main\.fsl:2:1\n/);
    assert.match(status, /\* Adding function `double` to lib\/more\.fsl:1:1\n/);
    assert.equal(await shell.ok(schema('diff')), `Differences from the remote schema to the local schema:
* Adding collection \`Product\` to main.fsl:2:1:
  * Defined fields:
  + add field \`.name\`
  + add field \`.price\`

  * Indexes:
  + add index \`byName\`

  * Configuration:
  + add ttl_days set to 30

* Adding function \`double\` to lib/more.fsl:1:1


`);
    const text = await shell.ok(schema('diff', '--text'));
    assert.match(text, /lib\/more\.fsl\n@ line 1 to 1\n\+ function double\(x\) {\n\+ {3}x \* 2\n\+ }\n/);
    assert.match(text, /main\.fsl\n@ line 1 to 1\n\+ \/\/ The shop\.\n/);
    assert.equal((await client.query(fql`Collection.byName("Product") == null`)).data, true);
  });

  test('a push stages, and a commit applies', async () => {
    await shell.ok(schema('push', '--no-input'));
    const status = await shell.ok(schema('status'));
    assert.match(status, /^Staged changes: ready\nStaged changes:\n\n\* Adding collection `Product`[^]*Local changes: none/);
    assert.match(await shell.ok(schema('diff')), /remote, staged schema to the local schema:\nNo schema differences\./);
    assert.match(await shell.ok(schema('diff', '--staged')), /remote, active schema to the remote, staged schema:\n\* Adding collection/);
    assert.match(await shell.ok(schema('diff', '--active')), /remote, active schema to the local schema:\n\* Adding collection/);
    assert.equal((await client.query(fql`Collection.byName("Product") == null`)).data, true);
    assert.match(await shell.ok(['schema', 'commit', '--no-input']), /Schema has been committed/);
    const { data: made } = await client.query(fql`Product.create({ name: "a", price: double(2) })`);
    assert.equal(made.price, 4);
    assert.ok(made.ttl);
    assert.match(await shell.ok(schema('status')), /^Staged changes: none\nLocal changes: none/);
    assert.match(await shell.ok(schema('diff', '--staged')), /There is no staged schema present\./);
  });

  test('a push is asked about, and refused with no', async () => {
    shell.write('schema', { 'main.fsl': MAIN.replace('ttl_days 30', 'ttl_days 60\n  history_days 1') });
    const no = await shell.ok(schema('push'), { input: 'n\n' });
    assert.match(no, /Proposed diff:[^]*\* Modifying collection `Product` at main\.fsl:2:1:[^]*change ttl_days from 30 to 60/);
    assert.match(no, /Stage the above changes\?[^]*Push cancelled\./);
    assert.equal((await client.query(fql`Product.definition.ttl_days`)).data, 30);
    await shell.ok(schema('push', '--active'), { input: 'y\n' });
    assert.deepEqual((await client.query(fql`[Product.definition.ttl_days, Product.definition.history_days]`)).data, [60, 1]);
    assert.match(await shell.ok(schema('push', '--active'), { input: 'n\n' }), /No logical changes\.[^]*Push the file contents anyway\?/);
  });

  test('what is staged is abandoned, or replaced by the next push', async () => {
    shell.write('schema', { 'main.fsl': MAIN.replace('price: Number', 'price: Number\n  stock: Int?') });
    await shell.ok(schema('push', '--no-input'));
    shell.write('schema', { 'main.fsl': WITH_COLOR });
    await shell.ok(schema('push', '--no-input'));
    const staged = await shell.ok(schema('diff', '--staged'));
    assert.match(staged, /add field `\.color`/);
    assert.doesNotMatch(staged, /stock/);
    assert.match(await shell.ok(['schema', 'abandon'], { input: 'y\n' }), /add field `\.color`[^]*Schema has been abandoned\./);
    assert.equal((await client.query(fql`Product.definition.fields.color`)).data, null);
    assert.match(await shell.refused(['schema', 'abandon', '--no-input']), /There is no staged schema to abandon/);
    assert.match(await shell.refused(['schema', 'commit', '--no-input']), /There is no staged schema to commit/);
    assert.match(await shell.refused(['schema', 'abandon']), /There is no staged schema to abandon/);
    await shell.ok(schema('push', '--no-input'));
    assert.match(await shell.ok(['schema', 'commit'], { input: 'y\n' }), /Schema has been committed/);
    assert.equal((await client.query(fql`Product.definition.fields.color.signature`)).data, 'String?');
  });

  test('a schema is pulled as it was pushed, and with what queries have made', async () => {
    await client.query(fql`Collection.create({ name: "ByQuery", indexes: { byA: { terms: [{ field: "a" }] } } })`);
    // The client makes no folders.
    mkdirSync(join(shell.home, 'pulled/lib'), { recursive: true });
    shell.write('pulled', { 'old.fsl': 'collection Old {}\n', 'main.fsl': '' });
    const out = await shell.ok(['schema', 'pull', '--dir', 'pulled', '--delete'], { input: 'y\n' });
    assert.match(out, /^Pulling active schema will make the following changes:\ndelete: {4}old\.fsl\nadd: {7}lib\/more\.fsl\noverwrite: main\.fsl\n/);
    assert.deepEqual(readdirSync(join(shell.home, 'pulled')).sort(), ['lib', 'main.fsl']);
    assert.equal(readFileSync(join(shell.home, 'pulled/lib/more.fsl'), 'utf8'), MORE);
    const main = readFileSync(join(shell.home, 'pulled/main.fsl'), 'utf8');
    assert.match(main, /^\/\/ The shop\.\ncollection Product {/);
    assert.match(main, /collection ByQuery {\n {2}index byA {\n {4}terms \[\.a\]\n {2}}\n}/);
    assert.match(await shell.ok(['schema', 'diff', '--dir', 'pulled']), /No schema differences\./);
    assert.match(await shell.ok(['schema', 'pull', '--dir', 'pulled'], { input: 'n\n' }), /Change cancelled\./);
  });

  test('an item that is in no file is deleted by a push of all files', async () => {
    shell.write('schema', { 'main.fsl': WITH_COLOR });
    assert.match(await shell.ok(schema('diff')), /\* Removing collection `ByQuery` from main\.fsl/);
    await shell.ok(schema('push', '--active', '--no-input'));
    assert.equal((await client.query(fql`Collection.byName("ByQuery") == null`)).data, true);
  });

  test('a schema that is none is refused with its place', async () => {
    for (const [text, message, place] of [
      ['collection Product {\n  ttl_days "x"\n}\n', 'Expected integer literal', '2:12'],
      ['collection Product {\n  ttl_days 1\n  ttl_days 2\n}\n', 'Duplicate ttl', '3:3'],
      ['collection Product {\n  ttl: Time\n}\n', 'Invalid reserved name `ttl`', '2:3'],
      ['collectoin Product {\n}\n', 'Invalid schema item `collectoin`', '1:1'],
    ]) {
      shell.write('bad', { 'main.fsl': text });
      for (const command of [['push', '--no-input'], ['diff']]) {
        const said = await shell.refused(['schema', ...command, '--dir', 'bad']);
        assert.ok(said.includes(message), said);
        assert.ok(said.includes(`at main.fsl:${place}`), said);
      }
    }
    assert.equal((await client.query(fql`Product.definition.ttl_days`)).data, 30);
  });

  test('a change that documents do not fit needs a migration', async () => {
    shell.write('schema', { 'main.fsl': MAIN.replace('price: Number', 'price: Number\n  stock: Int') });
    assert.match(await shell.refused(schema('push', '--active', '--no-input')), /stock/);
    shell.write('schema', { 'main.fsl': MAIN.replace('price: Number', 'price: Number\n  stock: Int')
      .replace(/}\n$/, '\n  migrations {\n    drop .color\n    add .stock\n    backfill .stock = 7\n  }\n}\n') });
    await shell.ok(schema('push', '--active', '--no-input'));
    assert.equal((await client.query(fql`Product.all().first()!.stock`)).data, 7);
  });

  test('who pushes, and what, is checked', async () => {
    assert.match(await shell.refused(schema('push', '--no-input'), { secret: 'wrong' }), /Authentication failed/);
    assert.match(await shell.refused(schema('push', '--no-input'), { secret: shell.secret.replace('admin', 'server') }), /Access denied/);
    // What a diff tries is done with an administrator's rights.
    assert.match(await shell.refused(schema('diff'), { secret: shell.secret.replace('admin', 'server') }), /Access denied/);
    assert.match(await shell.ok(['schema', 'status', '--dir', 'empty'], { secret: shell.secret.replace('admin', 'server') }),
      /^Staged changes: none/);
    assert.match(await shell.refused(['schema', 'push', '--dir', 'empty', '--no-input']), /No schema files \(\*\.fsl\) found/);
    assert.match(await shell.refused(['schema', 'status', '--dir', 'nowhere']), /does not exist/);
    assert.match(await shell.refused(schema('status'), { url: 'http://127.0.0.1:1' }), /Unable to connect to Fauna/);
  });
});

test('the root database is pushed to, too', async () => {
  const shell = new Shell(server);
  shell.write('schema', { 'main.fsl': 'collection AtTheRoot {\n}\n' });
  assert.match(await shell.ok(['schema', 'status', '--dir', 'schema']), /Adding collection `AtTheRoot`/);
  await shell.ok(['schema', 'push', '--dir', 'schema', '--no-input']);
  await shell.ok(['schema', 'commit', '--no-input']);
  assert.equal((await server.client().query(fql`AtTheRoot.all().count()`)).data, 0);
});
