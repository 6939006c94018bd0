// Hits show where the words of a query stand, to each generation of clients and on every page.
'use strict';

const assert = require('node:assert/strict');
const { before, after, test } = require('node:test');
const { Server } = require('./server');

let server;
let v7;
let place;
before(async () => {
  server = await Server.start();
  v7 = await server.v7();
  place = await server.collection(v7);
  await v7.collection.updateMapping(...place, { properties: { code: { type: 'keyword' }, title: { type: 'text' } } });
  const titles = ['The quick fox. A slow dog. Foxes & a fox', 'A fox', 'A hen'];
  for (const [i, title] of titles.entries()) {
    await v7.document.create(...place, { title, code: `A-${i}`, n: i }, `d${i}`);
  }
});
after(async () => { await server.stop(); });

const query = { match: { title: 'fox' } };
const fox = ['The quick <em>fox</em>.', 'Foxes & a <em>fox</em>'];
const shown = (hits) => Object.fromEntries(hits.map((hit) => [hit._id, hit.highlight]));

test('the words that were found are shown in their fragments', async () => {
  const body = { query, highlight: { fields: { title: {} } } };
  const seventh = await v7.document.search(...place, body);
  assert.deepEqual(shown(seventh.hits), { d0: { title: fox }, d1: { title: ['A <em>fox</em>'] } });
  const v6 = await server.v6();
  assert.deepEqual(shown((await v6.document.search(...place, body)).hits), shown(seventh.hits));
});

test('fields, tags and numbers are chosen', async () => {
  const highlight = { pre_tags: ['<b>'], post_tags: ['</b>'], encoder: 'html', number_of_fragments: 0, fields: [{ '*': {} }] };
  const either = { bool: { should: [query, { term: { code: 'A-2' } }] } };
  const found = await v7.document.search(...place, { query: either, highlight });
  assert.deepEqual(shown(found.hits), {
    d0: { title: ['The quick <b>fox</b>. A slow dog. Foxes &amp; a <b>fox</b>'] },
    d1: { title: ['A <b>fox</b>'] },
    d2: { code: ['<b>A-2</b>'] },
  });
  const all = await v7.document.search(...place, { sort: ['n'], highlight: { fields: { title: { no_match_size: 3 } } } });
  assert.deepEqual(all.hits.map((hit) => hit.highlight.title), [['The'], ['A fox'], ['A hen']]);
  const none = await v7.document.search(...place, { query, highlight: { fields: { code: {} } } });
  assert.deepEqual(shown(none.hits), { d0: undefined, d1: undefined });
});

test('pages of a scroll, several collections and Koncorde have them, too', async () => {
  const highlight = { fields: { title: { highlight_query: query } } };
  const seen = [];
  for (let page = await v7.document.search(...place, { query, highlight }, { size: 1, scroll: '30s' }); page; page = await page.next()) {
    seen.push(...page.hits.map((hit) => hit.highlight.title));
  }
  assert.deepEqual(seen, [['A <em>fox</em>'], fox]);
  const { result } = await v7.query({ controller: 'document', action: 'search',
    body: { query, highlight, targets: [{ index: place[0], collections: [place[1]] }] } });
  assert.deepEqual(result.hits.map((hit) => hit.highlight.title), [['A <em>fox</em>'], fox]);
  const koncorde = await v7.document.search(...place,
    { query: { and: [{ equals: { code: 'A-1' } }, { not: { equals: { title: 'A hen' } } }] }, highlight: { fields: { '*': {} } } },
    { lang: 'koncorde' });
  assert.deepEqual(shown(koncorde.hits), { d1: { code: ['<em>A-1</em>'] } });
});

test('what is not offered is named', async () => {
  const body = { highlight: { fields: { title: { boundary_chars: '.' } } } };
  await assert.rejects(v7.document.search(...place, body), { status: 501, message: /boundary_chars/ });
});
