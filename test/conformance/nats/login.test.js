// How the server logs in to a broker, and whom it believes.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { after, test } = require('node:test');
const { Broker } = require('./broker');
const { NatsServer, until } = require('./server');

const folder = mkdtempSync(join(tmpdir(), 'mayfly-tls-'));
const made = [];
after(async () => {
  await Promise.all(made.map((one) => (one instanceof Broker ? one.close() : one.stop())));
  rmSync(folder, { recursive: true });
});

async function serve(broker, ...flags) {
  made.push(broker);
  const server = await NatsServer.start(['--nats-url', broker.url, ...flags]);
  made.push(server);
  return server;
}

// A certificate for the name, by an authority that is made with it.
function certificate(name) {
  const at = (kind) => join(folder, `${name}.${kind}`);
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...key, '-subj', '/CN=authority', '-keyout', at('ca.key'), '-out', at('ca')],
    { stdio: 'ignore' });
  execFileSync('openssl', ['req', ...key.slice(0, 3), '-subj', `/CN=${name}`, '-keyout', at('key'), '-out', at('csr')],
    { stdio: 'ignore' });
  writeFileSync(at('ext'), `subjectAltName=${/^\d/.test(name) ? 'IP' : 'DNS'}:${name}`);
  execFileSync('openssl', ['x509', '-req', '-in', at('csr'), '-CA', at('ca'), '-CAkey', at('ca.key'), '-CAcreateserial',
    '-days', '2', '-extfile', at('ext'), '-out', at('pem')], { stdio: 'ignore' });
  return { ca: at('ca'), flags: ['-js', '--tls', '--tlscert', at('pem'), '--tlskey', at('key')] };
}

test('user and password', async () => {
  const how = { user: 'may', pass: 'fly-secret' };
  const broker = await Broker.start(['-js', '--user', 'may', '--pass', 'fly-secret'], how);
  const server = await serve(broker, '--nats-user', 'may', '--nats-password', 'fly-secret');
  await until(async () => await server.warnings() === '');
  const other = await NatsServer.start(['--nats-url', broker.url, '--nats-user', 'may', '--nats-password', 'no-such-secret']);
  made.push(other);
  await until(async () => /Authorization|authorization|Authentication/.test(await other.warnings()));
  assert.doesNotMatch(await other.warnings(), /no-such-secret/);
});

test('a token', async () => {
  const broker = await Broker.start(['-js', '--auth', 'token-secret'], { token: 'token-secret' });
  const server = await serve(broker, '--nats-token', 'token-secret');
  await until(async () => await server.warnings() === '');
});

test('TLS is believed by the authority, and by the name', async () => {
  const right = certificate('127.0.0.1');
  const broker = await Broker.start(right.flags);
  broker.url = broker.url.replace('nats://', 'tls://');
  const server = await serve(broker, '--nats-ca-file', right.ca);
  await until(async () => await server.warnings() === '');
  const stranger = await NatsServer.start(['--nats-url', broker.url]);
  made.push(stranger);
  await until(async () => /SSL|TLS/.test(await stranger.warnings()));
  const wrong = certificate('elsewhere.example');
  const impostor = await Broker.start(wrong.flags);
  impostor.url = impostor.url.replace('nats://', 'tls://');
  const cheated = await serve(impostor, '--nats-ca-file', wrong.ca);
  await until(async () => /SSL|TLS/.test(await cheated.warnings()));
});
