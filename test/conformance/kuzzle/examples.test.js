// The programs of examples/kuzzle run as they are printed.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { join } = require('node:path');
const { test } = require('node:test');
const { promisify } = require('node:util');
const { Server } = require('./server');

const server = Server.forTests();

for (const [program, words] of [['metadata.js', 'in the trashcan: '], ['garbage.js', 'after two passes none is left']]) {
  test(program, async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath,
      [join(__dirname, '../../../examples/kuzzle', program)],
      { env: { ...process.env, KUZZLE: server.kuzzle, NATIVE: server.native } });
    assert.equal(stderr.split('\n').filter((line) => !/Warning|--trace/.test(line)).join(''), '');
    assert.ok(stdout.includes(words), stdout);
  });
}
