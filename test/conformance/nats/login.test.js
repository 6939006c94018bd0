// How the server logs in to a broker, and whom it believes.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { after, test } = require('node:test');
const { credsAuthenticator, nkeys } = require('nats');
const { Broker } = require('./broker');
const { DAY, NatsServer, until } = require('./server');

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

// RFC 4648 without padding, the form of a token's id.
function base32(bytes) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g).map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)]);
  return digits.join('');
}

// A token of NATS: the issuer states `nats` about the subject.
function token(name, subject, issuer, nats) {
  const encode = (object) => Buffer.from(JSON.stringify(object)).toString('base64url');
  const claims = { iat: Math.floor(Date.now() / 1000), iss: issuer.getPublicKey(), name, sub: subject.getPublicKey(),
    nats: { version: 2, ...nats } };
  claims.jti = base32(createHash('sha512-256').update(JSON.stringify(claims)).digest());
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

// The configuration of a broker whose operator has one account beside that of the system, and the credentials file of a
// user of that account.
function operated() {
  const operator = nkeys.createOperator();
  const [system, account, user] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createUser()];
  const unlimited = (...names) => Object.fromEntries(names.map((name) => [name, -1]));
  const limits = { ...unlimited('subs', 'data', 'payload', 'imports', 'exports', 'conn', 'leaf'), wildcards: true };
  const storage = unlimited('mem_storage', 'disk_storage', 'streams', 'consumer');
  const root = token('operator', operator, operator, { type: 'operator', system_account: system.getPublicKey() });
  const accounts = [
    [system, token('system', system, operator, { type: 'account', limits })],
    [account, token('account', account, operator, { type: 'account', limits: { ...limits, ...storage } })],
  ].map(([key, text]) => `${key.getPublicKey()}: ${text}`);
  const login = token('user', user, account, { type: 'user', ...unlimited('subs', 'data', 'payload'), pub: {}, sub: {} });
  const files = { config: join(folder, 'operated.conf'), credentials: join(folder, 'user.creds') };
  writeFileSync(files.config, ['jetstream {}', `operator: ${root}`, `system_account: ${system.getPublicKey()}`,
    'resolver: MEMORY', `resolver_preload: { ${accounts.join(', ')} }`].join('\n'));
  const part = (name, text) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`;
  writeFileSync(files.credentials,
    `${part('NATS USER JWT', login)}\n${part('USER NKEY SEED', Buffer.from(user.getSeed()).toString())}`);
  return files;
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

test('a credentials file', async () => {
  const files = operated();
  const broker = await Broker.start(['-js', '-c', files.config],
    { authenticator: credsAuthenticator(readFileSync(files.credentials)) });
  const server = await serve(broker, '--nats-credentials', files.credentials);
  await until(async () => await server.warnings() === '');
  await server.begin();
  await server.subscribe();
  await server.write(['s1'], DAY);
  await until(async () => await broker.count() > 0);
  const stranger = await NatsServer.start(['--nats-url', broker.url]);
  made.push(stranger);
  await until(async () => /Authorization Violation|Authentication Violation/.test(await stranger.warnings()));
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
