'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { Server, failure } = require('./server');

let server;
let container;
before(async () => {
  server = await Server.start();
  container = await server.container({
    indexingPolicy: { includedPaths: [{ path: '/*' }], compositeIndexes: [[{ path: '/k' }, { path: '/n' }]] },
  });
  const items = [
    { id: '1', pk: 'a', k: 'x', n: 3, tags: ['red', 'blue'], children: [{ name: 'Ann', pets: [{ n: 'p' }] }] },
    { id: '2', pk: 'a', k: 'x', n: 1, tags: ['red'] },
    { id: '3', pk: 'b', k: 'y', n: 2, tags: [], name: 'Zoe' },
    { id: '4', pk: 'b', k: 'y' },
  ];
  for (const item of items) await container.items.create(item);
});
after(async () => { await server.stop(); });

const ask = async (query, options) => (await container.items.query(query, options).fetchAll()).resources;

const answers = [
  ['SELECT VALUE 1', [1]],
  ['SELECT "Adventure", "Works"', [{ $1: 'Adventure', $2: 'Works' }]],
  ['SELECT c.none FROM c WHERE c.id = "1"', [{}]],
  ['SELECT VALUE c.name FROM c', ['Zoe']],
  ['SELECT VALUE c.id FROM c WHERE c.n >= 2', ['1', '3']],
  ['SELECT VALUE c.id FROM c WHERE c.k = "x" AND NOT (c.n = 3)', ['2']],
  ['SELECT VALUE [1, undefined, 2]', [[1, 2]]],
  ['SELECT VALUE undefined ?? 5', [5]],
  ['SELECT VALUE 1 < "a"', []],
  ['SELECT VALUE ~130679749712577953', [-1022657953]],
  ['SELECT VALUE 1 | 2 & 3 ^ 4', [7]],
  ['SELECT VALUE t FROM c JOIN t IN c.tags', ['red', 'blue', 'red']],
  ['SELECT c.id, p.n FROM c JOIN ch IN c.children JOIN p IN ch.pets', [{ id: '1', n: 'p' }]],
  ['SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags WHERE t != "red") FROM c WHERE c.pk = "a"', [['blue'], []]],
  ['SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = "blue")', ['1']],
  ['SELECT VALUE c.id FROM c ORDER BY c.n', ['2', '3', '1']],
  ['SELECT VALUE c.id FROM c ORDER BY c.k DESC, c.n DESC', ['3', '4', '1', '2']],
  ['SELECT DISTINCT VALUE c.k FROM c', ['x', 'y']],
  ['SELECT TOP 2 VALUE c.id FROM c', ['1', '2']],
  ['SELECT VALUE c.id FROM c OFFSET 1 LIMIT 2', ['2', '3']],
  ['SELECT c.k, COUNT(1) AS n, AVG(c.n) AS a FROM c GROUP BY c.k', [{ k: 'x', n: 2, a: 2 }, { k: 'y', n: 2, a: 2 }]],
  ['SELECT VALUE COUNT(1) FROM c WHERE c.n > 100', [0]],
  ['SELECT VALUE MAX(c.n) FROM c', [3]],
  ['SELECT VALUE AVG(c.k) FROM c', []],
  ['SELECT VALUE c.id FROM c WHERE c.name LIKE "Z%"', ['3']],
  ['SELECT VALUE c.id FROM c WHERE c.n BETWEEN 1 AND 2', ['2', '3']],
  ['SELECT VALUE c.id FROM c WHERE c.n NOT IN (1, 2)', ['1']],
  ['SELECT VALUE c["n"] FROM c WHERE c["id"] = "1"', [3]],
  ['SELECT VALUE UPPER(c.k) FROM c WHERE c.id = "1"', ['X']],
  ['SELECT VALUE {"id": c.id, "big": c.n > 2 ? "yes" : "no"} FROM c WHERE c.pk = "a"',
    [{ id: '1', big: 'yes' }, { id: '2', big: 'no' }]],
  ['SELECT VALUE SUM(t.v) FROM (SELECT VALUE {"v": c.n} FROM c) t', [6]],
];

for (const [query, expected] of answers) {
  test(query, async () => { assert.deepEqual(await ask(query), expected); });
}

const refusals = [
  ['SELECT * FROM c WHERE', 'SC1001'],
  ['SELEC *', 'SC1001'],
  ['SELECT BADFUNC(c.a) FROM c', 'SC2005'],
  ['SELECT * FROM c GROUP BY c.k', 'SC2041'],
  ['SELECT c.n, COUNT(1) FROM c GROUP BY c.k', 'SC2102'],
  ['SELECT * FROM c ORDER BY c.n, c.k', 'corresponding composite index'],
  ['SELECT VALUE (SELECT VALUE t FROM t IN c.tags) FROM c', 'cardinality of a scalar subquery'],
];

for (const [query, word] of refusals) {
  test(`${query} is refused`, async () => {
    const error = await failure(ask(query));
    assert.equal(error.code, 400);
    assert.match(JSON.stringify(error.body ?? error.message), new RegExp(word));
  });
}

test('parameters stand for values', async () => {
  const query = { query: 'SELECT VALUE c.id FROM c WHERE c.n = @n', parameters: [{ name: '@n', value: 2 }] };
  assert.deepEqual(await ask(query), ['3']);
});

test('a partition key restricts', async () => {
  assert.deepEqual((await ask('SELECT * FROM c', { partitionKey: 'a' })).map((r) => r.id), ['1', '2']);
});

test('a sorted query goes on in pages', async () => {
  const pages = container.items.query('SELECT VALUE c.id FROM c ORDER BY c.n', { maxItemCount: 1 });
  const ids = [];
  while (pages.hasMoreResults()) ids.push(...((await pages.fetchNext()).resources ?? []));
  assert.deepEqual(ids, ['2', '3', '1']);
});

test('a whole item has its system properties', async () => {
  const [item] = await ask('SELECT * FROM c WHERE c.id = "1"');
  const { resource } = await container.item('1', 'a').read();
  assert.deepEqual(item, resource);
  const [nested] = await ask('SELECT c, c._ts AS ts FROM c WHERE c.id = "1"');
  assert.deepEqual(nested.c, resource);
  assert.equal(nested.ts, resource._ts);
});
