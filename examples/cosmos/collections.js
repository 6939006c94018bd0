// Collections and documents that expire, as the page on DocumentDB's TTL described it in 2016, with the client of that time.
// That client asks for a version of TLS that is no longer in use, so Node chooses the version.
'use strict';

const assert = require('node:assert/strict');
const https = require('node:https');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { promisify } = require('node:util');

const { request } = https;
https.request = (options, ...rest) => request({ ...options, secureProtocol: undefined, agent: https.globalAgent }, ...rest);
const here = createRequire(join(__dirname, '../../test/conformance/cosmos/package.json'));
const { DocumentClient } = here('documentdb');

const endpoint = (process.env.COSMOS ?? 'http://localhost:8081/').replace(/^http:\/\/[^:/]*/, 'https://localhost');
const native = process.env.NATIVE ?? 'http://localhost:7007/';
const masterKey = process.env.COSMOS_KEY
  ?? 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

async function pass(seconds) {
  const answer = await fetch(new URL('/v1/clock', native), {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advance_seconds: seconds }),
  });
  assert.equal(answer.status, 200, 'the server must be started with --clock virtual');
}

const client = new DocumentClient(endpoint, { masterKey });
const call = (name, ...rest) => promisify(client[name].bind(client))(...rest);
const all = (query) => promisify(query.toArray.bind(query))();
const code = async (work) => { try { await work; } catch (error) { return error.code; } return 0; };

// How long a document lives under a default: the matrix of the page. Infinity: it does not expire.
const MATRIX = [
  { defaultTtl: undefined, ttl: undefined, lives: Infinity },
  { defaultTtl: undefined, ttl: -1, lives: Infinity },
  { defaultTtl: undefined, ttl: 10, lives: Infinity },
  { defaultTtl: -1, ttl: undefined, lives: Infinity },
  { defaultTtl: -1, ttl: -1, lives: Infinity },
  { defaultTtl: -1, ttl: 10, lives: 10 },
  { defaultTtl: 60, ttl: undefined, lives: 60 },
  { defaultTtl: 60, ttl: -1, lives: Infinity },
  { defaultTtl: 60, ttl: 10, lives: 10 },
];

async function main() {
  const database = await call('createDatabase', { id: `documentdb-${process.pid}` });
  for (const [i, { defaultTtl, ttl, lives }] of MATRIX.entries()) {
    const collection = await call('createCollection', database._self, { id: `c${i}`, defaultTtl });
    const document = await call('createDocument', collection._self, { id: '1', ttl });
    const living = async () => (await all(client.queryDocuments(collection._self, 'SELECT * FROM c'))).length;
    if (lives === Infinity) {
      await pass(1000);
      assert.equal(await living(), 1);
    } else {
      await pass(lives - 1);
      assert.equal((await call('readDocument', document._self)).id, '1');
      await pass(1);
      assert.equal(await living(), 0);
      assert.equal(await code(call('readDocument', document._self)), 404);
      assert.equal(await code(call('replaceDocument', document._self, { id: '1' })), 404);
      assert.equal(await code(call('deleteDocument', document._self)), 404);
    }
    console.log(`defaultTtl ${defaultTtl}, ttl ${ttl}: lives ${lives === Infinity ? 'on' : `${lives} s`}`);
  }

  // Any write resets a document's time; without its ttl the collection's default counts.
  const collection = await call('createCollection', database._self, { id: 'carts', defaultTtl: 100 });
  const cart = await call('createDocument', collection._self, { id: '1', ttl: 10 });
  await pass(9);
  const replaced = await call('replaceDocument', cart._self, { id: '1', ttl: 10, items: 1 });
  assert.ok(replaced._ts > cart._ts);
  await pass(9);
  await call('replaceDocument', cart._self, { id: '1', items: 1 });
  await pass(99);
  assert.equal((await call('readDocument', cart._self)).items, 1);
  await pass(1);
  assert.equal(await code(call('readDocument', cart._self)), 404);
  console.log('a write begins a document\'s time anew');

  // While TTL is disabled, a document's own ttl is ignored; enabled again, it counts from the document's last write.
  const { defaultTtl, ...disabled } = await call('readCollection', collection._self);
  await call('createDocument', collection._self, { id: 'old', ttl: 10 });
  await pass(5);
  await call('replaceCollection', collection._self, disabled);
  await pass(1000);
  await call('createDocument', collection._self, { id: 'new', ttl: 10 });
  await pass(5);
  const ids = async () => (await all(client.readDocuments(collection._self))).map(({ id }) => id);
  assert.deepEqual(await ids(), ['old', 'new']);
  await call('replaceCollection', collection._self, { ...disabled, defaultTtl });
  assert.deepEqual(await ids(), ['new']);
  await pass(5);
  assert.deepEqual(await ids(), []);
  console.log('a document\'s ttl is ignored until TTL is enabled again');

  // TTL needs an index.
  const unindexed = { indexingMode: 'none', automatic: false };
  assert.equal(await code(call('createCollection', database._self, { id: 'none', defaultTtl: 5, indexingPolicy: unindexed })), 400);
  assert.equal(await code(call('replaceCollection', collection._self, { id: 'carts', defaultTtl: 5, indexingPolicy: unindexed })), 400);
  console.log('TTL on a collection without an index is refused');

  await call('deleteDatabase', database._self);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
