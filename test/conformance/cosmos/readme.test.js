'use strict';

const assert = require('node:assert/strict');
const { Server } = require('./server');
const { runQuickStart } = require('../readme');

const server = Server.forTests();

server.test('the quick start of the README writes a document with an end of its own', async () => {
  const [document] = await runQuickStart('cosmos', require, [['http://localhost:8081/', `${server.cosmos}/`]]);
  assert.equal(document.user, 'ada');
  assert.equal(document.ttl, 60);
});
