'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const { test } = require('node:test');
const { Server } = require('./server');
const { QuickStartFolder, quickStart } = require('../readme');

const server = Server.forTests();

test('the quick start of the README writes a document, also when it runs again, and gives it a lifetime', async () => {
  const folder = new QuickStartFolder('kuzzle-sdk', join(__dirname, 'node_modules', 'kuzzle-sdk-7'));
  try {
    for (let run = 0; run < 2; ++run) {
      assert.match(folder.run('kuzzle', [['7512', String(server.port)]]), /title: 'May'/);
    }
  } finally {
    folder.remove();
  }
  const command = quickStart('sh kuzzle', [['localhost:7007', new URL(server.native).host]]);
  assert.equal(JSON.parse(execFileSync('bash', ['-e', '-c', command], { encoding: 'utf8' })).default_ttl, 3600);
  const document = 'v1/databases/blog/collections/drafts/documents/d1';
  assert.equal((await server.fetchNative('GET', document)).status, 200);
  await server.advanceSeconds(3601);
  assert.equal((await server.fetchNative('GET', document)).status, 404);
});
