// Client encryption: the client wraps keys, encrypts and decrypts; the server keeps keys, policies
// and ciphertexts.
'use strict';

const assert = require('node:assert');
const { EncryptionAlgorithm, EncryptionType, KeyEncryptionAlgorithm } = require('@azure/cosmos');
const { Server, KEY, failure } = require('./server');

const server = Server.forTests();

// A key that is wrapped by turning its bits over; a vault would do better.
const flipped = (key) => Uint8Array.from(key, (byte) => byte ^ 0xff);
const resolver = {
  encryptionKeyResolverName: 'TURNED_OVER',
  wrapKey: async (id, algorithm, key) => flipped(key),
  unwrapKey: async (id, algorithm, key) => flipped(key),
};
const metadata = (name) => ({ type: 'TURNED_OVER', name, value: name, algorithm: KeyEncryptionAlgorithm.RSA_OAEP });
const path = (name, type) => ({
  path: name, clientEncryptionKeyId: 'key', encryptionType: type,
  encryptionAlgorithm: EncryptionAlgorithm.AEAD_AES_256_CBC_HMAC_SHA256,
});

server.test('what clients encrypt is kept as it is and found again', async () => {
  const client = server.newClient({ key: KEY, clientEncryptionOptions: { keyEncryptionKeyResolver: resolver } });
  const id = `secrets-${server.scheme}`;
  const { database } = await client.databases.create({ id });
  const made = await database.createClientEncryptionKey('key', EncryptionAlgorithm.AEAD_AES_256_CBC_HMAC_SHA256, metadata('first'));
  assert.equal(made.statusCode, 201);
  const read = await database.readClientEncryptionKey('key');
  assert.equal(read.clientEncryptionKeyProperties.encryptionKeyWrapMetadata.name, 'first');
  await database.rewrapClientEncryptionKey('key', metadata('second'));
  assert.equal((await database.readClientEncryptionKey('key')).clientEncryptionKeyProperties.encryptionKeyWrapMetadata.name, 'second');

  const { container } = await database.containers.create({
    id: 'c', partitionKey: { paths: ['/pk'] }, defaultTtl: -1,
    clientEncryptionPolicy: {
      policyFormatVersion: 2,
      includedPaths: [path('/pk', EncryptionType.DETERMINISTIC), path('/name', EncryptionType.DETERMINISTIC),
        path('/note', EncryptionType.RANDOMIZED)],
    },
  });
  await container.items.create({ id: '1', pk: 'a', name: 'Ann', note: { text: 'hidden' }, plain: 7, ttl: 10 });
  const { resource } = await container.item('1', 'a').read();
  assert.deepEqual([resource.name, resource.note, resource.plain], ['Ann', { text: 'hidden' }, 7]);
  const stored = await server.client.database(id).container('c').items.readAll().fetchAll();
  assert.equal(stored.resources.length, 1);
  assert.notEqual(stored.resources[0].name, 'Ann');
  assert.ok(!JSON.stringify(stored.resources[0]).includes('hidden'));
  assert.equal(stored.resources[0].plain, 7);

  await server.advance(10);
  assert.equal((await container.item('1', 'a').read()).statusCode, 404);
  client.dispose();
});

server.test('a container that was made again is not taken for the former one', async () => {
  const client = server.newClient({ key: KEY, clientEncryptionOptions: { keyEncryptionKeyResolver: resolver } });
  const { database } = await client.databases.create({ id: `again-${server.scheme}` });
  await database.createClientEncryptionKey('key', EncryptionAlgorithm.AEAD_AES_256_CBC_HMAC_SHA256, metadata('first'));
  const definition = (name) => ({
    id: 'c', partitionKey: { paths: ['/pk'] },
    clientEncryptionPolicy: { policyFormatVersion: 1, includedPaths: [path(name, EncryptionType.DETERMINISTIC)] },
  });
  const { container } = await database.containers.create(definition('/one'));
  await container.items.create({ id: '1', pk: 'a', one: 'x', two: 'y' });
  const other = server.client.database(database.id);
  await other.container('c').delete();
  await other.containers.create(definition('/two'));
  // The client looks at the substatus, learns the policy again and asks for the request once more.
  const refused = await failure(container.items.create({ id: '2', pk: 'a', one: 'x', two: 'y' }));
  assert.match(refused.message, /mismatch in Client Encryption Policy/);
  await container.items.create({ id: '2', pk: 'a', one: 'x', two: 'y' });
  const stored = (await other.container('c').item('2', 'a').read()).resource;
  assert.equal(stored.one, 'x');
  assert.notEqual(stored.two, 'y');
  client.dispose();
});
