'use strict';

const assert = require('node:assert/strict');
const { join } = require('node:path');
const { test } = require('node:test');
const { Server } = require('./server');
const { QuickStartFolder } = require('../readme');

const server = Server.forTests();

test('the quick start of the README writes a document, also when it runs again', () => {
  const folder = new QuickStartFolder('fauna', join(__dirname, 'node_modules', 'fauna'));
  try {
    for (let run = 0; run < 2; ++run) {
      assert.match(folder.run('fauna', [['localhost:8443', new URL(server.fauna).host]]), /^ada$/m);
    }
  } finally {
    folder.remove();
  }
});
