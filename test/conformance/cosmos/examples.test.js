// The programs of examples/cosmos run as they are printed.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { promisify } = require('node:util');
const { Server } = require('./server');

const server = Server.forTests();

for (const [program, words] of [['orders.js', 'with a defaultTtl again, every order expires by its own ttl'],
  ['collections.js', 'TTL on a collection without an index is refused'],
  ['processor.js', 'a reader that comes back learns that its leases have expired, and handles nothing twice']]) {
  server.test(program, async () => {
    const trusted = join(server.data, 'trusted.pem');
    writeFileSync(trusted, server.certificate);
    const path = join(__dirname, '../../../examples/cosmos', program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], {
      env: { ...process.env, COSMOS: server.endpoint, NATIVE: server.native, NODE_EXTRA_CA_CERTS: trusted },
    });
    assert.equal(stderr.split('\n').filter((line) => !/Warning|--trace/.test(line)).join(''), '');
    assert.ok(stdout.includes(words), stdout);
  });
}
