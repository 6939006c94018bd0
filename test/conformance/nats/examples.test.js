// The program of examples/nats runs as it is printed.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { join } = require('node:path');
const { after, test } = require('node:test');
const { promisify } = require('node:util');
const { Broker } = require('./broker');
const { NatsServer, until } = require('./server');

const made = [];
after(() => Promise.all(made.map((one) => (one instanceof Broker ? one.close() : one.stop()))));

test('consumer.js', async () => {
  const broker = await Broker.start(['-js']);
  const server = await NatsServer.start(['--nats-url', broker.url]);
  made.push(broker, server);
  await until(async () => await server.warnings() === '');
  const path = join(__dirname, '../../../examples/nats/consumer.js');
  const env = { ...process.env, NATS: broker.url, NATIVE: server.native };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], { env, timeout: 30_000 });
  assert.equal(stderr, '');
  assert.equal(stdout.match(/^record\.expired acme .*Z with its structure$/gm).length, 3);
  assert.ok(stdout.endsWith('each death has been handled\n'), stdout);
});
