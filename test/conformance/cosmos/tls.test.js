// The service's clients over TLS, on the port that others speak to plainly.
'use strict';

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const https = require('node:https');
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { test } = require('node:test');
const { promisify } = require('node:util');
const { CosmosClient } = require('@azure/cosmos');
const { Server, KEY, failure } = require('./server');

const server = Server.forTests();

test('a client that trusts the certificate works as one without TLS does', async () => {
  const client = server.clients.https;
  const { resource } = await client.getDatabaseAccount();
  assert.equal(resource.writableLocations[0].databaseAccountEndpoint, server.endpoints.https);
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

test('the certificate that is shown over TLS is the one that is spoken with', async () => {
  const shown = await new Promise((done, fail) => {
    https.get(server.endpoints.https + '_explorer/emulator.pem', { agent: server.agents.https }, (answer) => {
      let text = '';
      answer.on('data', (piece) => { text += piece; });
      answer.on('end', () => done(text));
    }).on('error', fail);
  });
  assert.equal(shown, server.certificate);
});

test('a client that does not trust the certificate speaks to nobody', async () => {
  const connectionPolicy = { retryOptions: { maxRetryAttemptCount: 0 } };
  const client = new CosmosClient({ endpoint: server.endpoints.https, key: KEY, connectionPolicy });
  const error = await failure(client.databases.readAll().fetchAll());
  client.dispose();
  assert.equal(error.code, 'DEPTH_ZERO_SELF_SIGNED_CERT');
});

test('a program is told to trust it by NODE_EXTRA_CA_CERTS', async () => {
  const path = join(server.data, 'emulator.pem');
  writeFileSync(path, server.certificate);
  const program = `
    const { CosmosClient } = require('@azure/cosmos');
    const client = new CosmosClient({ endpoint: process.env.ENDPOINT, key: process.env.KEY });
    client.databases.createIfNotExists({ id: 'program' }).then(({ database }) => {
      console.log(database.id);
      client.dispose();
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], {
    cwd: __dirname, env: { ...process.env, NODE_EXTRA_CA_CERTS: path, ENDPOINT: server.endpoints.https, KEY },
  });
  assert.equal(stdout, 'program\n');
});
