// What administrators do, through Kuzzle's own clients.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { Server, failure } = require('./server');

const server = Server.forTests();

const securities = {
  roles: { reader: { controllers: { document: { actions: { get: true } } } } },
  profiles: { readers: { policies: [{ roleId: 'reader' }] } },
  users: { ann: { content: { profileIds: ['readers'] }, credentials: { local: { username: 'ann', password: 'pw' } } } },
};

for (const protocol of ['WebSocket', 'Http']) {
  test(`mappings, fixtures and rights are loaded, and all is reset, over ${protocol}`, async () => {
    const client = await server.v7(protocol);
    const admin = async (action, rest = {}) => (await client.query({ controller: 'admin', action, ...rest })).result;
    const done = { acknowledge: true };
    assert.deepEqual(await admin('loadMappings',
      { body: { idx: { col: { properties: { a: { type: 'keyword' } } } } }, refresh: 'wait_for' }), done);
    assert.equal((await client.collection.getMapping('idx', 'col')).properties.a.type, 'keyword');
    assert.deepEqual(await admin('loadFixtures', { body: { idx: { col: [{ create: { _id: 'd1' } }, { a: 'x' }] } } }),
      done);
    assert.equal((await client.document.get('idx', 'col', 'd1'))._source.a, 'x');
    assert.deepEqual(await admin('loadSecurities', { body: securities }), done);
    assert.equal((await failure(admin('loadSecurities', { body: securities }))).id, 'security.user.prevent_overwrite');
    assert.deepEqual(await admin('loadSecurities', { body: securities, onExistingUsers: 'overwrite' }), done);
    assert.equal((await client.security.getUser('ann'))._id, 'ann');
    assert.deepEqual(await admin('resetCache', { database: 'internalCache' }), done);
    assert.deepEqual(await admin('resetSecurity'), { deletedUsers: 1, deletedProfiles: 1, deletedRoles: 1 });
    assert.equal((await failure(client.security.getUser('ann'))).status, 404);
    assert.deepEqual(await admin('resetKuzzleData'), done);
    assert.deepEqual(await admin('resetDatabase'), done);
    assert.deepEqual(await client.index.list(), []);
    assert.equal((await failure(admin('dump'))).status, 501);
  });
}

test('a server that is shut down answers, and ends in good order', async () => {
  const other = await Server.start();
  const client = await other.v6();
  const ended = new Promise((done) => other.process.once('exit', (code) => done(code)));
  const { result } = await client.query({ controller: 'admin', action: 'shutdown' });
  assert.deepEqual(result, { acknowledge: true });
  assert.equal(await ended, 0);
  await other.launch();
  await other.stop();
});
