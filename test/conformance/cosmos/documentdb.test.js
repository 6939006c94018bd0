// The client of 2016, and what its own suite asks, over both schemes.
'use strict';

const assert = require('node:assert/strict');
const { DocumentBase } = require('documentdb');
const { OldClient } = require('./old_client');
const { Server, KEY, failure } = require('./server');

const { PermissionMode, TriggerOperation, TriggerType } = DocumentBase;
const server = Server.forTests();
const test = (name, work) => server.test(name, () => work(new OldClient(server, { masterKey: KEY })));

const ids = (rows) => rows.map(({ id }) => id);
const code = async (work) => (await failure(work)).code;
const keyed = { partitionKey: { paths: ['/key'], kind: 'Hash' } };

test('the account tells where it was reached', async (client) => {
  const account = await client.call('getDatabaseAccount');
  assert.equal(account.WritableLocations[0].databaseAccountEndpoint, server.endpoint);
  assert.equal(account.ConsistencyPolicy.defaultConsistencyLevel, 'Session');
});

test('databases are created, read, listed, queried and deleted', async (client) => {
  const id = Server.freshName('old');
  const database = await client.call('createDatabase', { id });
  assert.equal(await code(client.call('createDatabase', { id })), 409);
  for (const link of [database._self, `dbs/${id}`]) assert.deepEqual(await client.call('readDatabase', link), database);
  assert.ok(ids(await client.all('readDatabases')).includes(id));
  const query = { query: 'SELECT * FROM root r WHERE r.id = @id', parameters: [{ name: '@id', value: id }] };
  assert.deepEqual(ids(await client.all('queryDatabases', query)), [id]);
  await client.call('deleteDatabase', database._self);
  assert.equal(await code(client.call('readDatabase', database._self)), 404);
});

test('collections are created, read, listed, queried, replaced and deleted', async (client) => {
  const { database, collection } = await client.makePlace({ indexingPolicy: { indexingMode: 'Consistent' }, ...keyed });
  assert.equal(collection.indexingPolicy.indexingMode, 'consistent');
  assert.deepEqual(collection.partitionKey.paths, ['/key']);
  assert.equal(await code(client.call('createCollection', database._self, { id: 'c' })), 409);
  for (const link of [collection._self, `dbs/${database.id}/colls/c`]) {
    assert.deepEqual(await client.call('readCollection', link), collection);
  }
  await client.call('createCollection', `dbs/${database.id}`, { id: 'other' });
  assert.deepEqual(ids(await client.all('readCollections', database._self)), ['c', 'other']);
  const query = 'SELECT * FROM c WHERE c.id = "other"';
  assert.deepEqual(ids(await client.all('queryCollections', database._self, query)), ['other']);
  const changed = { ...collection, defaultTtl: 5, indexingPolicy: { indexingMode: 'Lazy' } };
  const replaced = await client.call('replaceCollection', collection._self, changed);
  assert.deepEqual([replaced.defaultTtl, replaced.indexingPolicy.indexingMode], [5, 'lazy']);
  const moved = { ...changed, partitionKey: { paths: ['/other'], kind: 'Hash' } };
  assert.equal(await code(client.call('replaceCollection', collection._self, moved)), 400);
  await client.call('deleteCollection', collection._self);
  assert.equal(await code(client.call('readCollection', collection._self)), 404);
});

test('a collection has the partition key that it was given, and none where it was given none', async (client) => {
  assert.deepEqual((await client.makePlace(keyed)).collection.partitionKey, keyed.partitionKey);
  assert.equal((await client.makePlace()).collection.partitionKey, undefined);
});

test('a slash in an indexing policy is the root', async (client) => {
  const location = { path: '/"Location"/?', indexes: [{ kind: 'Spatial', dataType: 'Point' }] };
  for (const root of [{ path: '/' }, { path: '/', indexes: [{ kind: 'Hash', dataType: 'Number', precision: 2 }] }]) {
    const { collection } = await client.makePlace({ indexingPolicy: { includedPaths: [location, root] } });
    assert.equal(collection.indexingPolicy.includedPaths.length, 2);
    await client.call('createDocument', collection._self, { id: '1', n: 1 });
    const query = 'SELECT VALUE c.id FROM c WHERE c.n = 1 ORDER BY c.n';
    assert.deepEqual(await client.all('queryDocuments', collection._self, query), ['1']);
  }
});

test('a collection tells how far its indexing is', async (client) => {
  const { collection } = await client.makePlace();
  const headers = await new Promise((done, fail) => {
    client.plain.readCollection(collection._self, (error, body, all) => (error ? fail(error) : done(all)));
  });
  assert.equal(headers['x-ms-documentdb-collection-index-transformation-progress'], '100');
});

// Its links are rids; names do as well.
for (const how of ['by rid', 'by name']) {
  for (const isKeyed of [false, true]) {
    test(`documents are written and read ${how}${isKeyed ? ', over partitions' : ''}`, async (client) => {
      const { database, collection } = await client.makePlace(isKeyed ? keyed : {});
      const byName = how === 'by name';
      const own = byName ? `dbs/${database.id}/colls/c` : collection._self;
      const linkOf = (document) => (byName ? `${own}/docs/${document.id}` : document._self);
      const options = isKeyed ? { partitionKey: 'x' } : {};
      const made = await client.call('createDocument', own, { id: 'a b', key: 'x', n: 1 });
      assert.equal(await code(client.call('createDocument', own, { id: 'a b', key: 'x' })), 409);
      const link = linkOf(made);
      assert.deepEqual(await client.call('readDocument', link, options), made);
      const replaced = await client.call('replaceDocument', link, { ...made, n: 2 }, options);
      assert.equal(replaced.n, 2);
      assert.equal(replaced._rid, made._rid);
      const accessCondition = { type: 'IfMatch', condition: made._etag };
      assert.equal(await code(client.call('replaceDocument', link, made, { ...options, accessCondition })), 412);
      assert.equal(await code(client.call('deleteDocument', link, { ...options, accessCondition })), 412);
      assert.equal((await client.call('upsertDocument', own, { id: 'a b', key: 'x', n: 3 }))._rid, made._rid);
      const generated = await client.call('upsertDocument', own, { key: 'x', n: 4 });
      assert.match(generated.id, /^[0-9a-f-]{36}$/);
      assert.deepEqual((await client.all('readDocuments', own)).map(({ n }) => n), [3, 4]);
      await client.call('deleteDocument', link, options);
      assert.equal(await code(client.call('readDocument', link, options)), 404);
      assert.equal(await code(client.call('deleteDocument', link, options)), 404);
    });
  }
}

for (const how of ['by rid', 'by name']) {
  test(`a document is found ${how} in its own partition only`, async (client) => {
    const { database, collection } = await client.makePlace(keyed);
    const made = await client.call('createDocument', collection._self, { id: '1', key: 'x' });
    const link = how === 'by name' ? `dbs/${database.id}/colls/c/docs/1` : made._self;
    for (const act of ['readDocument', 'deleteDocument']) {
      assert.equal(await code(client.call(act, link)), 400);
      assert.equal(await code(client.call(act, link, { partitionKey: 'y' })), 404);
    }
    assert.deepEqual(await client.call('readDocument', link, { partitionKey: 'x' }), made);
  });
}

test('documents are read and queried in pages, and as what was written since', async (client) => {
  const { collection } = await client.makePlace(keyed);
  const own = collection._self;
  for (let n = 0; n < 5; ++n) {
    await client.call('createDocument', own, { id: `${n}`, key: n % 2 ? 'odd' : 'even', n: 4 - n });
  }
  const across = { maxItemCount: 2, enableCrossPartitionQuery: true };
  assert.deepEqual(await client.pages('readDocuments', own, { maxItemCount: 2 }), ['01', '23', '4']);
  assert.deepEqual(await client.pages('queryDocuments', own, 'SELECT * FROM c WHERE c.n < 4', across), ['12', '34', '']);
  assert.deepEqual((await client.pages('queryDocuments', own, 'SELECT * FROM c ORDER BY c.n', across)).join(''), '43210');
  const query = { query: 'SELECT VALUE c.n FROM c WHERE c.n >= @n', parameters: [{ name: '@n', value: 2 }] };
  assert.deepEqual(await client.all('queryDocuments', own, query, { partitionKey: 'even' }), [4, 2]);
  assert.deepEqual(await client.all('queryDocuments', own, 'SELECT VALUE SUM(c.n) FROM c', across), [10]);
  const last = 'SELECT TOP 1 VALUE c.id FROM c ORDER BY c.n DESC';
  assert.deepEqual(await client.all('queryDocuments', own, last, across), ['0']);
  assert.equal(await code(client.all('queryDocuments', own, 'SELECT * FROM', across)), 400);
  const since = { a_im: 'Incremental feed' };
  assert.deepEqual(ids(await client.all('readDocuments', own, since)), ['0', '1', '2', '3', '4']);
});

test('documents live as long as the collection and they themselves say', async (client) => {
  const { collection } = await client.makePlace({ defaultTtl: 5 });
  const own = collection._self;
  for (const [id, ttl] of [['inherits', undefined], ['never', -1], ['short', 2], ['long', 8]]) {
    await client.call('createDocument', own, { id, ttl });
  }
  for (const ttl of [0, -10, null, '5', 1.5, 2147483648]) {
    const refused = await failure(client.call('createDocument', own, { id: 'bad', ttl }));
    assert.equal(refused.code, 400);
    assert.match(refused.body, /Ensure to provide a nonzero positive integer/);
  }
  const living = () => client.all('queryDocuments', own, 'SELECT VALUE c.id FROM c');
  await server.advance(2);
  assert.deepEqual(await living(), ['inherits', 'never', 'long']);
  const [inherits] = await client.all('readDocuments', own);
  await server.advance(3);
  assert.deepEqual(ids(await client.all('readDocuments', own)), ['never', 'long']);
  assert.equal(await code(client.call('readDocument', inherits._self)), 404);
  assert.equal(await code(client.call('replaceDocument', inherits._self, inherits)), 404);
  assert.notEqual((await client.call('createDocument', own, { id: 'inherits', ttl: -1 }))._rid, inherits._rid);
  const { defaultTtl, ...definition } = collection;
  await client.call('replaceCollection', own, definition);
  await server.advance(100);
  assert.deepEqual(await living(), ['never', 'long', 'inherits']);
  await client.call('replaceCollection', own, { ...definition, defaultTtl: -1 });
  assert.deepEqual(await living(), ['never', 'inherits']);
});

// What a place or a user in it owns: what is made, and what of it is changed.
const body = 'function () { return 1; }';
const changed = { body: 'function () { return 2; }' };
const OWNED = {
  StoredProcedure: { owner: 'collection', feed: 'sprocs', make: { body }, change: changed },
  UserDefinedFunction: { owner: 'collection', feed: 'udfs', make: { body }, change: changed },
  Trigger: { owner: 'collection', feed: 'triggers', change: { ...changed, triggerType: TriggerType.Post },
    make: { body, triggerType: TriggerType.Pre, triggerOperation: TriggerOperation.All } },
  User: { owner: 'database', feed: 'users', make: {}, change: {} },
  Permission: { owner: 'user', feed: 'permissions', make: { permissionMode: PermissionMode.Read },
    change: { permissionMode: PermissionMode.All } },
};

// Where the place and a user in it are, by name.
const pathOf = (owner, { database, collection }) => `dbs/${database.id}` +
  { database: '', collection: `/colls/${collection.id}`, user: '/users/owner' }[owner];

for (const [kind, { owner, feed, make, change }] of Object.entries(OWNED)) {
  test(`${feed} are created, read, listed, queried, replaced, upserted and deleted`, async (client) => {
    const place = await client.makePlace();
    const owners = { ...place, user: await client.call('createUser', place.database._self, { id: 'owner' }) };
    const own = owners[owner]._self;
    const definition = { id: 'made', ...make, ...(kind === 'Permission' && { resource: place.collection._self }) };
    const made = await client.call(`create${kind}`, own, definition);
    assert.deepEqual({ ...made, ...definition }, made);
    assert.equal(await code(client.call(`create${kind}`, own, definition)), 409);
    for (const link of [made._self, `${pathOf(owner, place)}/${feed}/made`]) {
      // Of a permission every read gives another token.
      assert.deepEqual({ ...await client.call(`read${kind}`, link), _token: made._token }, { ...made, _token: made._token });
    }
    assert.ok(ids(await client.all(`read${kind}s`, own)).includes('made'));
    assert.deepEqual(ids(await client.all(`query${kind}s`, own, 'SELECT * FROM r WHERE r.id = "made"')), ['made']);
    const replaced = await client.call(`replace${kind}`, made._self, { ...made, ...change });
    assert.deepEqual({ ...replaced, ...change, _rid: made._rid }, replaced);
    const upserted = await client.call(`upsert${kind}`, own, definition);
    assert.deepEqual({ ...upserted, ...definition, _rid: made._rid }, upserted);
    const etags = [made, replaced, upserted].map(({ _etag }) => _etag);
    assert.equal(new Set(etags).size, 3);
    await client.call(`delete${kind}`, made._self);
    assert.equal(await code(client.call(`read${kind}`, made._self)), 404);
    assert.equal(await code(client.call(`delete${kind}`, made._self)), 404);
    assert.notEqual((await client.call(`upsert${kind}`, own, definition))._rid, made._rid);
  });
}

test('users and permissions are renamed by being replaced', async (client) => {
  const { database, collection } = await client.makePlace();
  const user = await client.call('createUser', database._self, { id: 'u' });
  const renamed = await client.call('replaceUser', user._self, { ...user, id: 'renamed' });
  assert.deepEqual([renamed.id, renamed._rid], ['renamed', user._rid]);
  assert.equal((await client.call('readUser', `dbs/${database.id}/users/renamed`))._rid, user._rid);
  const definition = { id: 'p', permissionMode: PermissionMode.Read, resource: collection._self };
  const permission = await client.call('createPermission', user._self, definition);
  const other = await client.call('replacePermission', permission._self, { ...permission, id: 'renamed' });
  assert.deepEqual([other.id, other._rid], ['renamed', permission._rid]);
  assert.deepEqual(ids(await client.all('readPermissions', user._self)), ['renamed']);
});

test('stored procedures run in their partition, all or nothing', async (client) => {
  const { collection } = await client.makePlace(keyed);
  const own = collection._self;
  const procedure = await client.call('createStoredProcedure', own, {
    id: 'write',
    serverScript: function (key, fails) {
      const collection = getContext().getCollection();
      collection.createDocument(collection.getSelfLink(), { id: '1', key }, (error, document) => {
        if (error) throw error;
        if (fails) throw new Error('at the end');
        getContext().getResponse().setBody({ made: document.id });
      });
    },
  });
  const run = (...parameters) => client.call('executeStoredProcedure', procedure._self, parameters, { partitionKey: 'x' });
  assert.equal(await code(run('x', true)), 400);
  assert.deepEqual(await client.all('readDocuments', own), []);
  assert.deepEqual(await run('x'), { made: '1' });
  assert.deepEqual(ids(await client.all('readDocuments', own)), ['1']);
  assert.equal(await code(run('y')), 400);
});

test('the body of an answer is set, or put together', async (client) => {
  const { collection } = await client.makePlace();
  const run = async (id, serverScript) => {
    const procedure = await client.call('createStoredProcedure', collection._self, { id, serverScript });
    return client.call('executeStoredProcedure', procedure._self, []);
  };
  assert.equal(await run('set', function () {
    for (let i = 0; i < 1000; ++i) getContext().getResponse().setBody(i);
  }), 999);
  assert.equal(await run('append', function () {
    for (let i = 0; i < 10; ++i) getContext().getResponse().appendValue('Body', i);
  }), '0123456789');
});

test('a logged text is filled in', async (client) => {
  const { collection } = await client.makePlace();
  const { _self: link } = await client.call('createStoredProcedure', collection._self, {
    id: 'log', serverScript: function () { console.log('The value of %s is %s.', 'x', 1); },
  });
  const headers = await new Promise((done, fail) => {
    client.plain.executeStoredProcedure(link, [], { enableScriptLogging: true }, (error, body, all) =>
      (error ? fail(error) : done(all)));
  });
  assert.equal(decodeURIComponent(headers['x-ms-documentdb-script-log-results']), 'The value of x is 1.');
});

test('triggers run where the request names them', async (client) => {
  const { collection } = await client.makePlace();
  const own = collection._self;
  await client.call('createTrigger', own, {
    id: 'upper',
    triggerType: TriggerType.Pre,
    triggerOperation: TriggerOperation.All,
    body: function () {
      const request = getContext().getRequest();
      const document = request.getBody();
      document.id = document.id.toUpperCase();
      request.setBody(document);
    },
  });
  await client.call('createTrigger', own, {
    id: 'tell',
    triggerType: TriggerType.Post,
    triggerOperation: TriggerOperation.Create,
    body: function () {
      const response = getContext().getResponse();
      response.setBody({ ...response.getBody(), told: true });
    },
  });
  const include = { preTriggerInclude: 'upper', postTriggerInclude: ['tell'] };
  const document = await client.call('createDocument', own, { id: 'a' }, include);
  assert.deepEqual([document.id, document.told], ['A', true]);
  assert.deepEqual((await client.all('readDocuments', own)).map(({ id, told }) => [id, told]), [['A', undefined]]);
  assert.equal((await client.call('createDocument', own, { id: 'b' })).id, 'b');
});

test('queries call user defined functions', async (client) => {
  const { collection } = await client.makePlace();
  const own = collection._self;
  await client.call('createDocument', own, { id: '1', n: 2 });
  await client.call('createUserDefinedFunction', own, { id: 'square', body: function (n) { return n * n; } });
  assert.deepEqual(await client.all('queryDocuments', own, 'SELECT VALUE udf.square(c.n) FROM c'), [4]);
});

test('tokens do what the permissions behind them allow', async (client) => {
  const { database, collection } = await client.makePlace();
  const document = await client.call('createDocument', collection._self, { id: '1' });
  const user = await client.call('createUser', database._self, { id: 'u' });
  const definition = { id: 'p', permissionMode: PermissionMode.Read, resource: collection._self };
  const permission = await client.call('createPermission', user._self, definition);
  const feed = () => client.all('readPermissions', user._self);
  const reader = new OldClient(server, { permissionFeed: await feed() });
  assert.equal((await reader.call('readDocument', document._self)).id, '1');
  assert.deepEqual(ids(await reader.all('queryDocuments', collection._self, 'SELECT * FROM c')), ['1']);
  assert.equal(await code(reader.call('createDocument', collection._self, { id: '2' })), 403);
  assert.equal(await code(reader.call('deleteCollection', collection._self)), 403);
  await client.call('replacePermission', permission._self, { ...permission, permissionMode: PermissionMode.All });
  const writer = new OldClient(server, { permissionFeed: await feed() });
  assert.equal((await writer.call('createDocument', collection._self, { id: '2' })).id, '2');
  const stranger = new OldClient(server, {});
  assert.equal(await code(stranger.call('readDocument', document._self)), 401);
});

test('offers tell the throughput, and are replaced', async (client) => {
  const { database } = await client.makePlace();
  const definition = { id: 'fast', ...keyed };
  const collection = await client.call('createCollection', database._self, definition, { offerThroughput: 10100 });
  const query = { query: 'SELECT * FROM root r WHERE r.resource = @link',
    parameters: [{ name: '@link', value: collection._self }] };
  const [offer] = await client.all('queryOffers', query);
  assert.deepEqual([offer.offerResourceId, offer.content.offerThroughput], [collection._rid, 10100]);
  assert.deepEqual(await client.call('readOffer', offer._self), offer);
  assert.ok((await client.all('readOffers')).some(({ _rid }) => _rid === offer._rid));
  const content = { ...offer.content, offerThroughput: 10200 };
  const replaced = await client.call('replaceOffer', offer._self, { ...offer, content });
  assert.deepEqual([replaced._rid, replaced.content.offerThroughput], [offer._rid, 10200]);
  assert.equal((await client.call('readOffer', offer._self)).content.offerThroughput, 10200);
  const odd = { ...offer, content: { ...content, offerThroughput: 10250 } };
  assert.equal(await code(client.call('replaceOffer', offer._self, odd)), 400);
  await client.call('deleteCollection', collection._self);
  assert.equal(await code(client.call('readOffer', offer._self)), 404);
});

test('an offer is of the type that was asked for', async (client) => {
  const { database } = await client.makePlace();
  const { _self: link } = await client.call('createCollection', database._self, { id: 'typed' }, { offerType: 'S2' });
  const [offer] = await client.all('queryOffers', `SELECT * FROM r WHERE r.resource = "${link}"`);
  assert.equal(offer.offerType, 'S2');
});

test('an offer that tells of another, or of none, replaces none', async (client) => {
  const { collection } = await client.makePlace();
  const [offer] = await client.all('queryOffers', `SELECT * FROM r WHERE r.resource = "${collection._self}"`);
  for (const bad of [{ _rid: 'NotAllowed' }, { _rid: 'InvalidRid' }, { id: undefined, _rid: undefined }]) {
    assert.equal(await code(client.call('replaceOffer', offer._self, { ...offer, ...bad })), 400);
  }
});

test('one range holds every partition key, and nothing is in conflict', async (client) => {
  const { database, collection } = await client.makePlace(keyed);
  for (const link of [collection._self, `dbs/${database.id}/colls/c`]) {
    const ranges = await client.all('readPartitionKeyRanges', link);
    assert.deepEqual(ranges.map((range) => [range.id, range.minInclusive, range.maxExclusive]), [['0', '', 'FF']]);
    assert.deepEqual(await client.all('readConflicts', link), []);
    assert.deepEqual(await client.all('queryConflicts', link, 'SELECT * FROM c'), []);
  }
  const none = `dbs/${database.id}/colls/c/conflicts/none`;
  assert.equal(await code(client.call('readConflict', none)), 404);
  assert.equal(await code(client.call('deleteConflict', none)), 400);
  assert.equal(await code(client.call('deleteConflict', none, { partitionKey: 'a' })), 404);
});
