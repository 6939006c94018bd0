'use strict';

const assert = require('node:assert/strict');
const { after, before, test } = require('node:test');
const { Server } = require('./server');

const documents = 300;
const long = 'x'.repeat(5000);
let server;
let container;
before(async () => {
  server = await Server.start();
  container = await server.container({
    defaultTtl: -1,
    indexingPolicy: {
      indexingMode: 'consistent',
      includedPaths: [{ path: '/n/?' }, { path: '/name/?' }],
      excludedPaths: [{ path: '/*' }],
      compositeIndexes: [[{ path: '/k', order: 'ascending' }, { path: '/n', order: 'descending' }]],
    },
  });
  for (let n = 0; n < documents; ++n) {
    await container.items.create({
      id: `${n}`, pk: n % 2 ? 'odd' : 'even', n, k: n % 3, name: n % 100 ? `name ${n}` : `${long}${n}`,
      ...(n === 7 ? { ttl: 5 } : {}),
    });
  }
});
after(async () => { await server.stop(); });

// The rows of all pages, how many documents were loaded for them, and which index was used.
const ask = async (query, options = {}) => {
  const iterator = container.items.query(query, {
    maxItemCount: 10, populateQueryMetrics: true, populateIndexMetrics: true, ...options,
  });
  const rows = [];
  let loaded = 0;
  let used = '';
  while (iterator.hasMoreResults()) {
    const page = await iterator.fetchNext();
    rows.push(...(page.resources || []));
    for (const metrics of Object.values(page.queryMetrics || {})) loaded += metrics.retrievedDocumentCount;
    used = page.indexMetrics || used;
  }
  return { rows, loaded, used };
};

test('Named paths and composites are indexes that queries read no more by than they must', async () => {
  const one = await ask('SELECT VALUE c.id FROM c WHERE c.n = 250');
  assert.deepEqual(one.rows, ['250']);
  assert.equal(one.loaded, 1);
  assert.match(JSON.stringify(one.used), /\/n\/\?/);
  const range = await ask('SELECT VALUE c.n FROM c WHERE c.n >= 290 AND c.n < 293');
  assert.deepEqual(range.rows, [290, 291, 292]);
  assert.equal(range.loaded, 3);
  const pinned = await ask('SELECT VALUE c.n FROM c WHERE c.n > 296', { partitionKey: 'odd' });
  assert.deepEqual(pinned.rows, [297, 299]);
  const ordered = await ask('SELECT VALUE c.n FROM c WHERE c.k = 1 AND c.n < 20 ORDER BY c.k, c.n DESC');
  assert.deepEqual(ordered.rows, [19, 16, 13, 10, 7, 4, 1]);
  assert.match(JSON.stringify(ordered.used), /\/k ASC/);
  const scanned = await ask('SELECT VALUE c.id FROM c WHERE c.pk = "even" AND c.k = 1 AND c.other = 1');
  assert.deepEqual(scanned.rows, []);
});

test('The plan can be asked for over the native API', async () => {
  const path = `v1/databases/${container.database.id}/collections/c/query`;
  const { body } = await server.fetchNative('POST', path, { filter: 'n = 250', explain: true });
  assert.match(body.plan, /^index policy \.n of c of all routings: \.n = 250/);
});

test('Whatever a document holds is indexed, and told apart', async () => {
  const found = await ask(`SELECT VALUE c.id FROM c WHERE STARTSWITH(c.name, "${long}2")`);
  assert.deepEqual(found.rows, ['200']);
  assert.equal(found.loaded, 3);
  await container.items.create({ id: 'a', pk: 'x', n: [1], name: { first: 'x' } });
  assert.deepEqual((await ask('SELECT VALUE c.id FROM c WHERE c.n = [1]')).rows, ['a']);
  assert.deepEqual((await ask('SELECT VALUE c.id FROM c WHERE c.n > 298')).rows, ['299']);
});

test('The dead are in no index', async () => {
  const seven = 'SELECT VALUE c.id FROM c WHERE c.n = 7';
  assert.deepEqual((await ask(seven)).rows, ['7']);
  await server.advance(6);
  assert.deepEqual((await ask(seven)).rows, []);
});

test('A replaced policy is followed', async () => {
  const { resource } = await container.read();
  resource.indexingPolicy.includedPaths = [{ path: '/k/?' }];
  delete resource.indexingPolicy.compositeIndexes;
  await container.replace(resource);
  const found = await ask('SELECT VALUE COUNT(1) FROM c WHERE c.k = 2');
  assert.deepEqual(found.rows, [100]);
  assert.match(JSON.stringify(found.used), /\/k\/\?/);
  assert.doesNotMatch(JSON.stringify((await ask('SELECT * FROM c WHERE c.n = 1')).used), /\/n\/\?/);
});
