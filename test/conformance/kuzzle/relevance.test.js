// The best hits come first, whichever client asks and however it goes on.
'use strict';

const assert = require('node:assert/strict');
const { before, after, test } = require('node:test');
const { Server, ask } = require('./server');

let server;
let v7;
let place;
before(async () => {
  server = await Server.start();
  v7 = await server.v7();
  place = await server.collection(v7);
  const texts = ['a dog that sleeps all day long', 'the dog', 'dog and dog', 'nothing of the kind', 'a cat', 'cat, dog'];
  for (const [i, text] of texts.entries()) await v7.document.create(...place, { text, n: i }, `d${i}`);
});
after(async () => { await server.stop(); });

const query = { match: { text: 'cat dog' } };
const best = ['d5', 'd4', 'd2', 'd1', 'd0'];
const ids = (hits) => hits.map((hit) => hit._id);

test('a search of each generation is ranked', async () => {
  const seventh = await v7.document.search(...place, { query });
  assert.deepEqual(ids(seventh.hits), best);
  const scores = seventh.hits.map((hit) => hit._score);
  assert.ok(scores.every((score, i) => score > 0 && (i === 0 || score <= scores[i - 1])));
  const v6 = await server.v6();
  assert.deepEqual(ids((await v6.document.search(...place, { query })).hits), best);
  const v5 = await server.v5();
  const found = await ask(v5.collection(place[1], place[0]), 'search', { query }, {});
  assert.deepEqual((found.documents || found.getDocuments()).map((document) => document.id), best);
  const sorted = await v7.document.search(...place, { query, sort: ['n'] });
  assert.deepEqual(sorted.hits.map((hit) => hit._score), [null, null, null, null, null]);
});

test('pages and scrolls keep the order', async () => {
  for (const options of [{ from: 0, size: 2 }, { size: 2, scroll: '30s' }]) {
    const seen = [];
    for (let page = await v7.document.search(...place, { query }, options); page; page = await page.next()) {
      seen.push(...ids(page.hits));
    }
    assert.deepEqual(seen, best);
  }
});

test('what is not offered is refused, not left out', async () => {
  for (const body of [{ collapse: { field: 'n' } }, { aggs: { a: { top_hits: {} } } },
    { highlight: { fields: { text: { fragmenter: 'span' } } } }]) {
    await assert.rejects(v7.document.search(...place, { query, ...body }), { status: 501 });
  }
});
