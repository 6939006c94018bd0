// The programs of examples/cosmos run as they are printed.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { after, before, test } = require('node:test');
const { promisify } = require('node:util');
const { Server } = require('./server');

let server;
let trusted;
before(async () => {
  server = await Server.start();
  trusted = join(server.data, 'trusted.pem');
  writeFileSync(trusted, await (await fetch(server.cosmos + '_explorer/emulator.pem')).text());
});
after(async () => { await server.stop(); });

for (const [program, words] of [['orders.js', 'without a defaultTtl nothing expires'],
  ['collections.js', 'TTL on a collection without an index is refused']]) {
  test(program, async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(__dirname, '../../../examples/cosmos', program)], {
      env: { ...process.env, COSMOS: server.cosmos, NATIVE: server.native, NODE_EXTRA_CA_CERTS: trusted },
    });
    assert.equal(stderr.split('\n').filter((line) => !/Warning|--trace/.test(line)).join(''), '');
    assert.ok(stdout.includes(words), stdout);
  });
}
