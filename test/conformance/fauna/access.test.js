// Databases within databases, secrets, roles, tokens and credentials through Fauna's own driver.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { AuthenticationError, ConstraintFailureError, NullDocument } = require('fauna');
const { Server, failure, follow, fql, overEachTransport } = require('./server');

const server = Server.forTests();
const denied = async (work) => assert.equal((await failure(work)).code, 'permission_denied');
const unknown = async (work) => assert.ok((await failure(work)) instanceof AuthenticationError);

overEachTransport('access', (transport) => {
  let client;
  let name;
  before(async () => {
    ({ client, name } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "User" })`);
    await client.query(fql`Collection.create({ name: "Note", indexes: { byOwner: { terms: [{ field: "owner" }] } } })`);
  });

  const data = async (query, options) => (await client.query(query, options)).data;
  const as = (secret) => server.client(secret, { transport });
  const scoped = (role, path = name) => as(`secret:${path}:${role}`);

  test('databases lie in databases, and see nothing of each other', async () => {
    const made = await data(fql`Database.create({ name: "child", typechecked: false, priority: 5, data: { a: 1 } })`);
    assert.deepEqual([made.name, made.typechecked, made.priority, made.data], ['child', false, 5, { a: 1 }]);
    assert.equal(typeof made.global_id, 'string');
    const child = scoped('admin', `${name}/child`);
    await child.query(fql`Database.create({ name: "grandchild" })`);
    await child.query(fql`Collection.create({ name: "Inner" })`);
    assert.deepEqual(await data(fql`Database.all().map(.name).toArray()`), ['child']);
    assert.equal((await failure(client.query(fql`Inner`))).httpStatus, 400);
    const grandchild = scoped('admin', `${name}/child/grandchild`);
    assert.equal((await grandchild.query(fql`Collection.all().count()`)).data, 0);
    assert.ok((await failure(client.query(fql`Database.create({ name: "child" })`))) instanceof ConstraintFailureError);
    await client.query(fql`Database.byName("child")!.delete()`);
    await unknown(child.query(fql`1`));
    await unknown(grandchild.query(fql`1`));
    await client.query(fql`Database.create({ name: "child" })`);
    assert.equal((await child.query(fql`Collection.all().count()`)).data, 0);
  });

  test('a key of a child database is made by its parent, as the driver\'s own suites do it', async () => {
    const keyOf = fql`
      if (Database.byName("suite").exists()) {
        Key.where(.database == "suite").forEach(.delete())
        Database.byName("suite")!.delete()
      }
      Database.create({ name: "suite" })
      Key.create({ role: "admin", database: "suite" }).secret`;
    const first = as(await data(keyOf));
    await first.query(fql`Collection.create({ name: "Own" })`);
    const second = as(await data(keyOf));
    assert.equal((await second.query(fql`Collection.byName("Own") == null`)).data, true);
    await unknown(first.query(fql`1`));
  });

  test('a secret is shown once, and its key is changed and deleted', async () => {
    const key = await data(fql`Key.create({ role: "server", data: { by: "me" } })`);
    assert.match(key.secret, /^fn/);
    assert.equal(await data(fql`Key.byId(${key.id})!.secret`), null);
    const user = as(key.secret);
    await user.query(fql`User.create({ a: 1 })`);
    await client.query(fql`Key.byId(${key.id})!.update({ role: "server-readonly" })`);
    await denied(user.query(fql`User.create({ a: 1 })`));
    await client.query(fql`Key.byId(${key.id})!.delete()`);
    await unknown(user.query(fql`1`));
    assert.ok((await failure(client.query(fql`Key.create({ role: "nothing" })`))) instanceof ConstraintFailureError);
    assert.ok((await failure(client.query(fql`Key.create({ role: "admin", database: "nowhere" })`))) instanceof ConstraintFailureError);
  });

  test('a key lives as long as it says', async () => {
    const { secret, ttl } = await data(fql`Key.create({ role: "admin", ttl: Time.now().add(60, "seconds") })`);
    assert.ok(ttl);
    const user = as(secret);
    await server.advanceSeconds(59);
    await user.query(fql`1`);
    await server.advanceSeconds(1);
    await unknown(user.query(fql`1`));
  });

  test('built-in roles may what they may', async () => {
    await client.query(fql`Function.create({ name: "double", body: "x => x * 2" }); User.create({ id: 1, n: 1 })`);
    const [admin, serverRole, readonly, nobody] = ['admin', 'server', 'server-readonly', 'client'].map((role) => scoped(role));
    assert.equal((await admin.query(fql`Role.all().count()`)).data, 0);
    await serverRole.query(fql`User.create({ n: 2 }); double(2); Collection.create({ name: "ByServer" })`);
    await denied(serverRole.query(fql`Role.create({ name: "hi" })`));
    await denied(serverRole.query(fql`Key.create({ role: "admin" })`));
    await denied(serverRole.query(fql`Database.create({ name: "no" })`));
    assert.equal((await readonly.query(fql`User.byId(1)!.n`)).data, 1);
    await denied(readonly.query(fql`User.create({})`));
    await denied(readonly.query(fql`double(2)`));
    assert.equal((await nobody.query(fql`User.all().count()`)).data, 0);
    const hidden = (await nobody.query(fql`User.byId(1)`)).data;
    assert.ok(hidden instanceof NullDocument);
    assert.equal(hidden.cause, 'permission denied');
    await denied(nobody.query(fql`User.create({})`));
  });

  test('a role of the schema reads, writes and calls what its predicates let it', async () => {
    await client.query(fql`Function.create({ name: "half", body: "n => n / 2" })`);
    await client.query(fql`Role.create({ name: "reader",
      privileges: [
        { resource: "Note", actions: { read: "doc => doc.public", create: "doc => doc.owner == 'me'",
          write: "(old, new) => old.owner == new.owner", delete: "doc => doc.owner == 'me'" } },
        { resource: "half", actions: { call: "args => args[0] > 0" } } ] })`);
    await client.query(fql`[1, 2, 3, 4].forEach(n => Note.create({ id: n, n: n, owner: if (n < 3) "me" else "you", public: n != 2 }))`);
    for (const user of [scoped('@role/reader'), as((await data(fql`Key.create({ role: "reader" })`)).secret)]) {
      const ask = async (query) => (await user.query(query)).data;
      assert.deepEqual(await ask(fql`Note.all().map(.n).toArray()`), [1, 3, 4]);
      assert.deepEqual(await ask(fql`Note.byOwner("me").map(.n).toArray()`), [1]);
      assert.equal(await ask(fql`Note.where(.n == 2).count()`), 0);
      assert.equal((await ask(fql`Note.byId(2)`)).cause, 'permission denied');
      assert.equal((await failure(user.query(fql`Note.byId(2).n`))).code, 'permission_denied');
      assert.equal((await ask(fql`Note.create({ owner: "me", public: true, n: 5 })`)).n, 5);
      await denied(user.query(fql`Note.create({ owner: "you", public: true })`));
      await ask(fql`Note.byId(3)!.update({ n: 3 })`);
      await denied(user.query(fql`Note.byId(3)!.update({ owner: "me" })`));
      await denied(user.query(fql`Note.byId(3)!.delete()`));
      await ask(fql`Note.where(.n == 5).forEach(.delete())`);
      assert.equal(await ask(fql`half(4)`), 2);
      await denied(user.query(fql`half(-4)`));
      await denied(user.query(fql`User.create({})`));
      await denied(user.query(fql`User.all().eventSource()`));
      const pages = [];
      for await (const page of user.paginate(fql`Note.all().map(.n).pageSize(2)`)) pages.push(page);
      assert.deepEqual(pages, [[1, 3], [4]]);
    }
  });

  test('events are seen by the rights of a role', async () => {
    await client.query(fql`Role.create({ name: "follower", privileges: { resource: "Note", actions: { read: "doc => doc.public" } } })`);
    const user = scoped('@role/follower');
    const { data: source } = await user.query(fql`Note.all().map(.n).eventSource()`);
    const follower = await follow(user.stream(source, { status_events: true }));
    await client.query(fql`Note.create({ id: 100, n: 100, public: false })`);
    await client.query(fql`Note.create({ id: 101, n: 101, public: true })`);
    await client.query(fql`Note.byId(100)!.update({ public: true })`);
    await client.query(fql`Note.byId(101)!.update({ public: false })`);
    const expected = [['add', 101], ['add', 100], ['remove', 101]];
    assert.deepEqual((await follower.take(3)).map(({ type, data: n }) => [type, n]), expected);
    follower.close();
    const fed = [];
    for await (const { type, data: n } of user.feed(source).flatten()) fed.push([type, n]);
    assert.deepEqual(fed, expected);
  });

  test('a token acts as its document, by the roles of its collection', async () => {
    await client.query(fql`Role.create({ name: "member", membership: { resource: "User", predicate: "user => user.active" },
      privileges: { resource: "Note", actions: { read: "doc => doc.owner == Query.identity()!.name" } } })`);
    const member = await data(fql`User.create({ name: "me", active: true })`);
    const { secret, id } = await data(fql`Token.create({ document: ${member}, ttl: Time.now().add(1, "day") })`);
    const user = as(secret);
    assert.equal((await user.query(fql`Query.identity().id`)).data, member.id);
    assert.equal((await user.query(fql`Query.token()!.id`)).data, id);
    assert.deepEqual((await user.query(fql`Note.all().map(.owner).distinct().toArray()`)).data, ['me']);
    assert.deepEqual((await scoped(`@doc/User/${member.id}`).query(fql`Note.all().map(.owner).distinct().toArray()`)).data, ['me']);
    await client.query(fql`${member}.update({ active: false })`);
    assert.equal((await user.query(fql`Note.all().count()`)).data, 0);
    assert.deepEqual(await data(fql`Token.byDocument(${member}).map(.id).toArray()`), [id]);
    await client.query(fql`${member}.delete()`);
    await unknown(user.query(fql`1`));
  });

  test('a token of a document that dies dies with it', async () => {
    const { secret } = await data(fql`Token.create({ document: User.create({ ttl: Time.now().add(60, "seconds") }) })`);
    const user = as(secret);
    await user.query(fql`1`);
    await server.advanceSeconds(60);
    await unknown(user.query(fql`1`));
  });

  test('a user logs in with a password', async () => {
    const user = await data(fql`User.create({ name: "login" })`);
    const credential = await data(fql`Credential.create({ document: ${user}, password: "sekret" })`);
    assert.equal('password' in credential, false);
    assert.equal(await data(fql`Credential.byDocument(${user})!.verify("sekret")`), true);
    assert.equal(await data(fql`Credential.byDocument(${user})!.verify("other")`), false);
    assert.equal((await failure(client.query(fql`Credential.byDocument(${user})!.login("other")`))).code, 'invalid_secret');
    const { secret } = await data(fql`Credential.byDocument(${user})!.login("sekret", Time.now().add(5, "seconds"))`);
    const loggedIn = as(secret);
    assert.equal((await loggedIn.query(fql`Query.identity().id`)).data, user.id);
    await server.advanceSeconds(5);
    await unknown(loggedIn.query(fql`1`));
    await client.query(fql`Credential.byDocument(${user})!.update({ password: "changed" })`);
    assert.equal(await data(fql`Credential.byDocument(${user})!.verify("sekret")`), false);
    assert.ok((await failure(client.query(fql`Credential.create({ document: ${user}, password: "x" })`))) instanceof ConstraintFailureError);
  });
});
