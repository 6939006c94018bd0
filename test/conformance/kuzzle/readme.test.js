'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Server } = require('./server');
const { runQuickStart } = require('../readme');

const server = Server.forTests();

test('the quick start of the README writes a document', async () => {
  const load = (name) => require(name === 'kuzzle-sdk' ? 'kuzzle-sdk-7' : name);
  const [source] = await runQuickStart('kuzzle', load, [["'localhost', { port: 7512 }", `'127.0.0.1', { port: ${server.port} }`]]);
  assert.equal(source.title, 'May');
});
