'use strict';

const assert = require('node:assert/strict');
const { test: testOnce } = require('node:test');
const { TriggerOperation, TriggerType } = require('@azure/cosmos');
const { Server, failure } = require('./server');

const server = Server.forTests();
const test = server.test.bind(server);

test('stored procedures are created, listed, replaced, deleted', async () => {
  const { scripts } = await server.container();
  const { resource } = await scripts.storedProcedures.create({ id: 'p', body: () => 1 });
  assert.equal(resource.id, 'p');
  assert.deepEqual((await scripts.storedProcedures.readAll().fetchAll()).resources.map((p) => p.id), ['p']);
  const replaced = await scripts.storedProcedure('p').replace({ id: 'p', body: 'function () {}' });
  assert.equal(replaced.resource.body, 'function () {}');
  await scripts.storedProcedure('p').delete();
  assert.equal((await failure(scripts.storedProcedure('p').read())).code, 404);
});

test('a stored procedure answers with the body that it sets', async () => {
  const { scripts } = await server.container();
  await scripts.storedProcedures.create({
    id: 'p', body: function (a, b) { getContext().getResponse().setBody([a, b]); },
  });
  const { resource } = await scripts.storedProcedure('p').execute('a', [{ x: 1 }, 'y']);
  assert.deepEqual(resource, [{ x: 1 }, 'y']);
  await scripts.storedProcedures.create({ id: 'silent', body: function () {} });
  assert.equal((await scripts.storedProcedure('silent').execute('a')).statusCode, 200);
});

test('a stored procedure changes its partition, all or nothing', async () => {
  const container = await server.container();
  await container.items.create({ id: 'other', pk: 'b' });
  await container.scripts.storedProcedures.create({
    id: 'import',
    body: function (documents, fails) {
      const collection = getContext().getCollection();
      let created = 0;
      const next = () => {
        if (created === documents.length) {
          if (fails) throw new Error('at the end');
          collection.queryDocuments(collection.getSelfLink(), 'SELECT VALUE COUNT(1) FROM c', (error, [count]) => {
            if (error) throw error;
            getContext().getResponse().setBody({ created, count });
          });
          return;
        }
        const accepted = collection.createDocument(collection.getSelfLink(), documents[created], (error) => {
          if (error) throw error;
          created += 1;
          next();
        });
        if (!accepted) getContext().getResponse().setBody({ created });
      };
      next();
    },
  });
  const documents = [{ id: '1', pk: 'a' }, { id: '2', pk: 'a' }, { pk: 'a' }];
  const procedure = container.scripts.storedProcedure('import');
  const thrown = await failure(procedure.execute('a', [documents, true]));
  assert.equal(thrown.code, 400);
  assert.match(thrown.message, /at the end/);
  assert.equal((await container.items.readAll().fetchAll()).resources.length, 1);
  assert.deepEqual((await procedure.execute('a', [documents])).resource, { created: 3, count: 3 });
  assert.equal((await container.item('2', 'a').read()).resource.id, '2');
  assert.equal((await failure(procedure.execute('b', [documents]))).code, 400);
});

test('stored procedures at the same time lose nothing of each other', async () => {
  const container = await server.container();
  await container.items.create({ id: 'counter', pk: 'a', n: 0 });
  await container.scripts.storedProcedures.create({
    id: 'add',
    body: function () {
      const collection = getContext().getCollection();
      collection.readDocument(`${collection.getAltLink()}/docs/counter`, (error, counter) => {
        if (error) throw error;
        collection.replaceDocument(counter._self, { ...counter, n: counter.n + 1 }, { etag: counter._etag });
      });
    },
  });
  await Promise.all(Array.from({ length: 8 }, () => container.scripts.storedProcedure('add').execute('a')));
  assert.equal((await container.item('counter', 'a').read()).resource.n, 8);
});

test('a stored procedure does not see what has expired', async () => {
  const container = await server.container({ defaultTtl: -1 });
  await container.items.create({ id: 'lives', pk: 'a' });
  await container.items.create({ id: 'dies', pk: 'a', ttl: 5 });
  await container.scripts.storedProcedures.create({
    id: 'ids',
    body: function () {
      const collection = getContext().getCollection();
      collection.readDocuments(collection.getSelfLink(), (error, documents) => {
        getContext().getResponse().setBody(documents.map((d) => d.id));
      });
    },
  });
  const ids = async () => (await container.scripts.storedProcedure('ids').execute('a')).resource;
  assert.deepEqual(await ids(), ['lives', 'dies']);
  await server.advance(5);
  assert.deepEqual(await ids(), ['lives']);
});

test('console.log is told to who asks for it', async () => {
  const { scripts } = await server.container();
  await scripts.storedProcedures.create({ id: 'p', body: function () { console.log('one', 'zwölf'); } });
  const logged = await scripts.storedProcedure('p').execute('a', [], { enableScriptLogging: true });
  assert.equal(decodeURIComponent(logged.headers['x-ms-documentdb-script-log-results']), 'one zwölf');
  const silent = await scripts.storedProcedure('p').execute('a');
  assert.equal(silent.headers['x-ms-documentdb-script-log-results'], undefined);
});

// Over one scheme: it takes the seconds that a script may.
testOnce('a stored procedure that does not end is stopped', async () => {
  const { scripts } = await server.container();
  await scripts.storedProcedures.create({ id: 'p', body: function () { for (;;); } });
  assert.equal((await failure(scripts.storedProcedure('p').execute('a'))).code, 408);
});

test('triggers run where the request names them', async () => {
  const container = await server.container();
  await container.scripts.triggers.create({
    id: 'upper',
    triggerType: TriggerType.Pre,
    triggerOperation: TriggerOperation.All,
    body: function () {
      const request = getContext().getRequest();
      const body = request.getBody();
      body.id = body.id.toUpperCase();
      request.setBody(body);
    },
  });
  await container.scripts.triggers.create({
    id: 'refuse',
    triggerType: TriggerType.Post,
    triggerOperation: TriggerOperation.Create,
    body: function () { if (getContext().getResponse().getBody().refused) throw new Error('refused'); },
  });
  const upper = { preTriggerInclude: ['upper'] };
  assert.equal((await container.items.create({ id: 'a', pk: 'a' }, upper)).resource.id, 'A');
  assert.equal((await container.items.upsert({ id: 'b', pk: 'a' }, upper)).resource.id, 'B');
  assert.equal((await container.items.create({ id: 'c', pk: 'a' })).resource.id, 'c');
  const refuse = { postTriggerInclude: ['refuse'] };
  assert.equal((await container.items.create({ id: 'd', pk: 'a' }, refuse)).statusCode, 201);
  assert.equal((await failure(container.items.create({ id: 'e', pk: 'a', refused: true }, refuse))).code, 400);
  assert.equal((await container.item('e', 'a').read()).statusCode, 404);
});

test('queries call user defined functions', async () => {
  const container = await server.container();
  for (const n of [1, 2, 3]) await container.items.create({ id: `${n}`, pk: 'a', n });
  await container.scripts.userDefinedFunctions.create({
    id: 'tax', body: function tax(n) { return n < 2 ? 0 : n * 10; },
  });
  const rows = async (text) => (await container.items.query(text, { partitionKey: 'a' }).fetchAll()).resources;
  assert.deepEqual(await rows('SELECT VALUE udf.tax(c.n) FROM c'), [0, 20, 30]);
  assert.deepEqual(await rows('SELECT VALUE c.id FROM c WHERE udf.tax(c.n) > 20'), ['3']);
  assert.equal((await failure(rows('SELECT udf.nobody(c.n) FROM c'))).code, 400);
});

test('triggers are listed, queried, replaced and deleted', async () => {
  const container = await server.container();
  const { triggers } = container.scripts;
  const made = [];
  for (const triggerType of Object.values(TriggerType)) {
    for (const triggerOperation of Object.values(TriggerOperation)) {
      const definition = { id: `${triggerType}-${triggerOperation}`, triggerType, triggerOperation };
      const { resource } = await triggers.create({ ...definition, body: () => {} });
      assert.deepEqual({ ...resource, ...definition }, resource);
      made.push(definition.id);
    }
  }
  const listed = (await triggers.readAll().fetchAll()).resources.map(({ id }) => id);
  assert.deepEqual(listed.sort(), made.sort());
  const found = await triggers.query('SELECT VALUE t.id FROM t WHERE t.id = "pre-create"').fetchAll();
  assert.deepEqual(found.resources, ['pre-create']);
  const trigger = container.scripts.trigger('pre-create');
  const body = function () {
    const request = getContext().getRequest();
    request.setBody({ ...request.getBody(), seen: true });
  };
  await trigger.replace({ id: 'pre-create', triggerType: TriggerType.Pre, triggerOperation: TriggerOperation.All, body });
  const include = { preTriggerInclude: ['pre-create'] };
  assert.equal((await container.items.create({ id: '1', pk: 'a' }, include)).resource.seen, true);
  assert.equal((await container.item('1', 'a').replace({ id: '1', pk: 'a' }, include)).resource.seen, true);
  await trigger.delete();
  assert.equal((await failure(trigger.read())).code, 404);
  assert.equal((await failure(container.items.create({ id: '2', pk: 'a' }, include))).code, 400);
});

test('user defined functions are listed, queried, replaced and deleted', async () => {
  const container = await server.container();
  await container.items.create({ id: '1', pk: 'a', n: 2 });
  const { userDefinedFunctions } = container.scripts;
  for (const id of ['f', 'g']) await userDefinedFunctions.create({ id, body: function (n) { return n + 1; } });
  assert.equal((await failure(userDefinedFunctions.create({ id: 'f', body: () => 1 }))).code, 409);
  assert.deepEqual((await userDefinedFunctions.readAll().fetchAll()).resources.map(({ id }) => id), ['f', 'g']);
  const found = await userDefinedFunctions.query('SELECT VALUE u.id FROM u WHERE u.id = "g"').fetchAll();
  assert.deepEqual(found.resources, ['g']);
  const called = (options) => container.items.query('SELECT VALUE udf.f(c.n) FROM c', options).fetchAll();
  assert.deepEqual((await called()).resources, [3]);
  const udf = container.scripts.userDefinedFunction('f');
  await udf.replace({ id: 'f', body: function (n) { return n * 10; } });
  assert.match((await udf.read()).resource.body, /n \* 10/);
  assert.deepEqual((await called()).resources, [20]);
  assert.deepEqual((await called({ forceQueryPlan: true })).resources, [20]);
  await udf.delete();
  assert.equal((await failure(udf.read())).code, 404);
  assert.equal((await failure(called())).code, 400);
});
