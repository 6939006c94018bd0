'use strict';

const assert = require('node:assert/strict');
const { join } = require('node:path');
const { Server } = require('./server');
const { QuickStartFolder } = require('../readme');

const server = Server.forTests();

server.test('the quick start of the README writes a document with a TTL, also when it runs again', () => {
  const folder = new QuickStartFolder('@azure/cosmos', join(__dirname, 'node_modules', '@azure', 'cosmos'));
  try {
    for (let run = 0; run < 2; ++run) {
      const printed = folder.run('cosmos', [['http://localhost:8081/', `${server.cosmos}/`]]);
      assert.match(printed, /user: 'ada'/);
      assert.match(printed, /ttl: 60,/);
    }
  } finally {
    folder.remove();
  }
});
