// The service's clients over TLS, on the port that others speak to plainly.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const https = require('node:https');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { after, before, test } = require('node:test');
const { promisify } = require('node:util');
const { CosmosClient } = require('@azure/cosmos');
const { DocumentClient } = require('documentdb');
const { Server, KEY, failure } = require('./server');

let server;
let certificate;
before(async () => {
  server = await Server.start();
  certificate = await (await fetch(server.cosmos + '_explorer/emulator.pem')).text();
});
after(async () => { await server.stop(); });

const secureEndpoint = () => server.cosmos.replace('http://127.0.0.1', 'https://localhost');

async function withClient(options, work) {
  const client = new CosmosClient({ endpoint: secureEndpoint(), key: KEY, ...options });
  try {
    return await work(client);
  } finally {
    client.dispose();
  }
}

test('a client that trusts the certificate works as one without TLS does', async () => {
  const agent = new https.Agent({ ca: certificate, keepAlive: true });
  await withClient({ agent }, async (client) => {
    const { resource } = await client.getDatabaseAccount();
    assert.equal(resource.writableLocations[0].databaseAccountEndpoint, secureEndpoint());
    const { database } = await client.databases.create({ id: 'secured' });
    const { container } = await database.containers.create({ id: 'c', partitionKey: '/pk', defaultTtl: 5 });
    const text = 'x'.repeat(1_000_000);
    for (let i = 0; i < 20; ++i) await container.items.create({ id: `${i}`, pk: 'a', text: i === 7 ? text : '' });
    assert.equal((await container.item('7', 'a').read()).resource.text, text);
    const plainly = server.client.database('secured').container('c');
    assert.equal((await plainly.item('7', 'a').read()).resource.text, text);
    const query = 'SELECT VALUE c.id FROM c ORDER BY c.id';
    const found = (await container.items.query(query).fetchAll()).resources;
    assert.equal(found.length, 20);
    await server.advance(5);
    assert.deepEqual((await container.items.query(query).fetchAll()).resources, []);
  });
  agent.destroy();
});

test('the certificate that is shown over TLS is the one that is spoken with', async () => {
  const agent = new https.Agent({ ca: certificate });
  const shown = await new Promise((done, fail) => {
    https.get(secureEndpoint() + '_explorer/emulator.pem', { agent }, (answer) => {
      let text = '';
      answer.on('data', (piece) => { text += piece; });
      answer.on('end', () => done(text));
    }).on('error', fail);
  });
  agent.destroy();
  assert.equal(shown, certificate);
});

test('a client that does not trust the certificate speaks to nobody', async () => {
  const connectionPolicy = { retryOptions: { maxRetryAttemptCount: 0 } };
  const error = await withClient({ connectionPolicy }, (client) => failure(client.databases.readAll().fetchAll()));
  assert.equal(error.code, 'DEPTH_ZERO_SELF_SIGNED_CERT');
});

test('a program is told to trust it by NODE_EXTRA_CA_CERTS', async () => {
  const path = join(server.data, 'emulator.pem');
  writeFileSync(path, certificate);
  const program = `
    const { CosmosClient } = require('@azure/cosmos');
    const client = new CosmosClient({ endpoint: process.env.ENDPOINT, key: process.env.KEY });
    client.databases.createIfNotExists({ id: 'program' }).then(({ database }) => {
      console.log(database.id);
      client.dispose();
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
    cwd: __dirname, env: { ...process.env, NODE_EXTRA_CA_CERTS: path, ENDPOINT: secureEndpoint(), KEY },
  });
  assert.equal(stdout, 'program\n');
});

// It asks for TLS 1.0, which neither side has any more, and takes no plain endpoint at all.
test('the client of old works once its version of TLS is left to Node', async () => {
  const { request } = https;
  const agent = new https.Agent({ ca: certificate, keepAlive: true });
  https.request = (options, ...rest) => request({ ...options, secureProtocol: undefined, agent }, ...rest);
  try {
    const client = new DocumentClient(secureEndpoint(), { masterKey: KEY });
    const call = (name, ...rest) => promisify(client[name].bind(client))(...rest);
    const database = await call('createDatabase', { id: 'old' });
    const collection = await call('createCollection', database._self, { id: 'c' });
    const document = await call('createDocument', collection._self, { id: '1', n: 1 });
    assert.equal((await call('readDocument', document._self)).n, 1);
  } finally {
    https.request = request;
    agent.destroy();
  }
});
