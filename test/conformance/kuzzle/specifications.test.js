// Specifications of collections, and the writes they refuse, through each generation of Kuzzle's own client.
'use strict';

const assert = require('node:assert/strict');
const { describe, test } = require('node:test');
const { Server, failure, ask } = require('./server');

const server = Server.forTests();

const person = {
  strict: true,
  fields: {
    name: { type: 'string', mandatory: true, typeOptions: { length: { max: 5 } } },
    age: { type: 'integer', defaultValue: 18 },
    mail: { type: 'email' },
    home: { type: 'object' },
    'home/city': { type: 'string', mandatory: true },
  },
};
const wrong = { fields: { name: { type: 'nonsense' } } };

test('the client of Kuzzle 1.0 to 1.3', async () => {
  const client = await server.v5();
  const [index] = await server.collection(await server.v7());
  const collection = client.collection('c', index);
  assert.equal(await ask(collection, 'validateSpecifications', person), true);
  assert.equal(await ask(collection, 'validateSpecifications', wrong), false);
  assert.deepEqual(await ask(collection, 'updateSpecifications', person), { [index]: { c: person } });
  const refused = await failure(ask(collection, 'updateSpecifications', wrong));
  assert.equal(refused.message, 'Some errors with provided specifications.');
  assert.deepEqual(refused.details, [`In ${index}.c.name: nonsense is not a recognized type.`]);
  assert.deepEqual(await ask(collection, 'getSpecifications'), { validation: person, index, collection: 'c' });
  const error = await failure(ask(collection, 'createDocument', 'd1', { age: 3 }));
  assert.equal(error.status, 400);
  assert.equal(error.message, 'Field name: The field is mandatory.');
  const made = await ask(collection, 'createDocument', 'd1', { name: 'ann' });
  assert.deepEqual(made.content, { name: 'ann', age: 18 });
  const found = await ask(collection, 'searchSpecifications', { term: { index } });
  assert.equal(found.total, 1);
  assert.equal(found.hits[0]._id, `${index}#c`);
  assert.deepEqual(await ask(collection, 'deleteSpecifications'), { acknowledged: true });
  await ask(collection, 'createDocument', 'd2', {});
});

for (const protocol of ['WebSocket', 'Http']) {
  describe(`over ${protocol}`, () => {
    test('the client of Kuzzle 1.4 to 1.12', async () => {
      const client = await server.v6(protocol);
      const place = await server.collection(client);
      assert.deepEqual(await client.collection.validateSpecifications(...place, person), { valid: true });
      const told = await client.collection.validateSpecifications(...place, wrong);
      assert.equal(told.valid, false);
      assert.equal(told.details.length, 1);
      assert.deepEqual(await client.collection.updateSpecifications(...place, person), person);
      assert.deepEqual((await client.collection.getSpecifications(...place)).validation, person);
      const validated = await client.document.validate(...place, { name: 'far too long' });
      assert.equal(validated.valid, false);
      assert.match(validated.errorMessages.fieldScope.children.name.messages[0], /^Invalid string length/);
      assert.equal((await failure(client.document.create(...place, {}, 'd1'))).status, 400);
      let page = await client.collection.searchSpecifications({}, { size: 1, scroll: '1m' });
      let seen = 0;
      for (; page; page = await page.next()) seen += page.hits.length;
      assert.ok(seen >= 1);
      assert.deepEqual(await client.collection.deleteSpecifications(...place), { acknowledged: true });
      await client.document.create(...place, {}, 'd1');
    });

    test('the client of Kuzzle 2', async () => {
      const client = await server.v7(protocol);
      const place = await server.collection(client);
      assert.deepEqual(await client.collection.validateSpecifications(...place, person), { valid: true });
      assert.deepEqual(await client.collection.updateSpecifications(...place, person), person);
      assert.equal((await failure(client.collection.updateSpecifications(...place, wrong))).id,
        'validation.assert.invalid_specifications');
      assert.deepEqual(await client.collection.getSpecifications(...place),
        { validation: person, index: place[0], collection: 'c' });
      const error = await failure(client.document.create(...place, { name: 'ann', hat: 1 }, 'd1'));
      assert.equal(error.id, 'validation.check.failed_document');
      const { successes, errors } = await client.document.mCreate(...place,
        [{ _id: 'm1', body: { name: 'ann' } }, { _id: 'm2', body: { name: 'ann', mail: 'nobody' } }]);
      assert.equal(successes[0]._source.age, 18);
      assert.equal(errors[0].reason, 'Validation failed. Field "mail": The string must be a valid email address.');
      assert.deepEqual(await client.document.validate(...place, { name: 'ann' }), { errorMessages: {}, valid: true });
      const found = await client.collection.searchSpecifications({ query: { term: { index: place[0] } } });
      assert.equal(found.hits[0]._source.collection, 'c');
      await client.collection.deleteSpecifications(...place);
      assert.equal((await failure(client.collection.getSpecifications(...place))).id, 'validation.assert.not_found');
    });
  });
}
