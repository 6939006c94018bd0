// Queries across partitions that the server hands back with a plan, for the client to put rows together.
'use strict';

const assert = require('node:assert/strict');
const { OldClient } = require('./old_client');
const { Server, KEY, failure } = require('./server');

const server = Server.forTests();
const ROWS = [['a', 3], ['b', 1], ['c', 4], ['a', 2], ['b', undefined]];

async function filled(throughput) {
  const container = await server.container({}, { offerThroughput: throughput });
  for (const [i, [pk, n]] of ROWS.entries()) await container.items.create({ id: `${i}`, pk, n, mixed: n ?? 'text' });
  return container;
}

const allRows = async (container, query, options) => (await container.items.query(query, options).fetchAll()).resources;

server.test('rows of one range and of several are put together alike', async () => {
  for (const throughput of [400, 30000]) {
    const container = await filled(throughput);
    const cases = [
      ['SELECT VALUE c.id FROM c ORDER BY c.n', ['1', '3', '0', '2']],
      ['SELECT TOP 1 VALUE c.id FROM c ORDER BY c.n DESC', ['2']],
      ['SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 1 LIMIT 2', ['3', '0']],
      ['SELECT VALUE COUNT(1) FROM c', [5]],
      ['SELECT VALUE MAX(c.id) FROM c', ['4']],
      ["SELECT VALUE SUM(c.n) FROM c WHERE c.pk = 'a'", [5]],
    ];
    for (const [query, expected] of cases) assert.deepEqual(await allRows(container, query), expected, `${throughput} ${query}`);
    const named = { query: 'SELECT VALUE c.id FROM c ORDER BY c[@p] DESC', parameters: [{ name: '@p', value: 'n' }] };
    assert.deepEqual(await allRows(container, named), ['2', '0', '3', '1']);
    const groups = await allRows(container, 'SELECT c.pk, COUNT(1) AS m FROM c GROUP BY c.pk');
    assert.deepEqual(groups.sort((a, b) => (a.pk < b.pk ? -1 : 1)), [{ pk: 'a', m: 2 }, { pk: 'b', m: 2 }, { pk: 'c', m: 1 }]);
    const values = await allRows(container, 'SELECT DISTINCT VALUE c.pk FROM c');
    assert.deepEqual(values.sort(), ['a', 'b', 'c']);
  }
});

server.test('what the client makes of the parts of nothing and of mixed types is no row', async () => {
  const container = await filled(400);
  for (const query of ['SUM(c.mixed) FROM c', 'AVG(c.mixed) FROM c', 'MIN(c.n) FROM c WHERE c.n = 99', 'MAX(c.n) FROM c WHERE c.n = 99']) {
    assert.deepEqual(await allRows(container, `SELECT VALUE ${query}`), [], query);
  }
});

server.test('the client of old puts rows together, and is refused what it cannot', async () => {
  for (const throughput of [400, 30000]) {
    const container = await filled(throughput);
    const old = new OldClient(server, { masterKey: KEY });
    const link = `dbs/${container.database.id}/colls/c`;
    const across = { enableCrossPartitionQuery: true };
    const all = (query, options = across) => old.all('queryDocuments', link, query, options);
    assert.deepEqual((await all('SELECT * FROM c ORDER BY c.n')).map(({ id }) => id), ['1', '3', '0', '2']);
    assert.equal((await all('SELECT TOP 2 * FROM c')).length, 2);
    assert.deepEqual(await all('SELECT VALUE COUNT(1) FROM c'), [5]);
    assert.deepEqual(await all("SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'a'"), [2]);
    const refused = await failure(all('SELECT c.pk, COUNT(1) FROM c GROUP BY c.pk'));
    assert.equal(refused.code, 400);
    assert.match(refused.body, /GroupBy/);
    const disabled = await failure(all('SELECT * FROM c', {}));
    assert.equal(disabled.code, 400);
    assert.match(disabled.body, /Cross partition query is required but disabled/);
  }
});
