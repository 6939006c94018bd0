'use strict';

const assert = require('node:assert/strict');
const { after, before } = require('node:test');
const { Server, failure } = require('./server');

const server = new Server();
const test = server.test.bind(server);
let container;
before(async () => {
  await server.launch();
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
after(() => server.stop());

const ask = async (query, options) => (await server.again(container).items.query(query, options).fetchAll()).resources;

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

// The ways in which the client asks: at once; or by the service's plan, putting the rows together itself.
const ways = {
  'at once': {},
  'by its plan': { forceQueryPlan: true },
  'by its plan under control': { enableQueryControl: true },
};

for (const [query, expected] of answers) {
  for (const [way, options] of Object.entries(ways)) {
    test(`${query}, ${way}`, async () => { assert.deepEqual(await ask(query, options), expected); });
  }
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

test('a plan tells what the client is left to do', async () => {
  const plan = async (query) => (await server.again(container).getQueryPlan(query)).result;
  const { queryInfo: sorted, queryRanges: all } = await plan('SELECT * FROM c ORDER BY c.n DESC');
  assert.deepEqual([sorted.orderBy, sorted.orderByExpressions], [['Descending'], ['c.n']]);
  assert.match(sorted.rewrittenQuery, /\{documentdb-formattableorderbyquery-filter\}/);
  assert.deepEqual(all, [{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }]);
  const rows = await ask(sorted.rewrittenQuery.replace('{documentdb-formattableorderbyquery-filter}', 'true'));
  assert.deepEqual(rows.map(({ orderByItems, payload }) => [orderByItems, payload.id]), [[[{ item: 3 }], '1'],
    [[{ item: 2 }], '3'], [[{ item: 1 }], '2']]);
  const { queryInfo: counted } = await plan('SELECT COUNT(1) AS n FROM c');
  assert.deepEqual([counted.aggregates, counted.groupByAliasToAggregateType], [[], { n: 'Count' }]);
  const { queryRanges: one } = await plan({
    query: 'SELECT * FROM c WHERE c.pk = @pk', parameters: [{ name: '@pk', value: 'a' }],
  });
  const hash = '3A5381E1114EB8D3FCC90795045B49B7';
  assert.deepEqual(one, [{ min: hash, max: hash, isMinInclusive: true, isMaxInclusive: true }]);
  const refused = await failure(plan('SELECT * FROM c WHERE'));
  assert.equal(refused.code, 400);
  assert.match(refused.message, /SC1001/);
});

test('a query that goes by its plan goes on in pages', async () => {
  const query = 'SELECT VALUE c.id FROM c ORDER BY c.n';
  for (const options of [ways['by its plan'], ways['by its plan under control']]) {
    const pages = server.again(container).items.query(query, { maxItemCount: 1, ...options });
    const ids = [];
    while (pages.hasMoreResults()) ids.push(...((await pages.fetchNext()).resources ?? []));
    assert.deepEqual(ids, ['2', '3', '1']);
  }
});

// Sorted, the client filters by where it was; that filter is no other query.
for (const [query, expected] of [['SELECT VALUE c.id FROM c', ['1', '2', '3']],
  ['SELECT VALUE c.id FROM c ORDER BY c.n', ['2', '3', '1']]]) {
  test(`${query} under control goes on from its continuation`, async () => {
    const ids = [];
    let continuationToken;
    for (let page = 0; page < 3; ++page) {
      const options = { enableQueryControl: true, maxItemCount: 1, continuationToken };
      const answer = await server.again(container).items.query(query, options).fetchNext();
      ids.push(...answer.resources);
      ({ continuationToken } = answer);
    }
    assert.deepEqual(ids, expected);
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
