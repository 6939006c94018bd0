// Sets and their pages through Fauna's own driver.
'use strict';

const assert = require('node:assert/strict');
const { before, test } = require('node:test');
const { EmbeddedSet, Page, SetIterator } = require('fauna');
const { Server, failure, fql, overEachTransport } = require('./server');

const server = Server.forTests();
const numbers = (from, to) => Array.from({ length: to - from }, (_, n) => from + n);

overEachTransport('pages', (transport) => {
  let client;
  before(async () => {
    ({ client } = await server.freshDatabase({ transport }));
    await client.query(fql`Collection.create({ name: "Thing", indexes: {
      byKind: { terms: [{ field: "kind" }], values: [{ field: "n", order: "desc" }] } } })`);
    await client.query(fql`Set.sequence(0, 40).forEach(n => Thing.create({ id: n, n: n, kind: if (n % 2 == 0) "even" else "odd" }))`);
  });

  const data = async (query, options) => (await client.query(query, options)).data;
  // The pages of a set, with what is done between the first and the second.
  async function pagesOf(pageable, between = async () => {}) {
    const pages = [];
    for await (const page of client.paginate(pageable)) {
      if (pages.push(page) === 1) await between();
    }
    return pages;
  }

  test('a set is read page by page, and what is made meanwhile stays out', async () => {
    const pages = await pagesOf(fql`Thing.all().map(.n)`, () => client.query(fql`Thing.create({ n: 1000 })`));
    assert.deepEqual(pages, [numbers(0, 16), numbers(16, 32), numbers(32, 40)]);
    await client.query(fql`Thing.where(.n == 1000).forEach(.delete())`);
  });

  test('what is deleted meanwhile is not shown', async () => {
    await client.query(fql`Collection.create({ name: "Fading" })`);
    await client.query(fql`Set.sequence(0, 20).forEach(n => Fading.create({ id: n, n: n }))`);
    const pages = await pagesOf(fql`Fading.all()`, () => client.query(fql`Fading.byId(17)!.update({ n: 99 })`));
    assert.deepEqual(pages[1].map(({ id, n }) => [id, n]), [['16', 16], ['17', 99], ['18', 18], ['19', 19]]);
  });

  test('a size is kept on later pages, and one may be given', async () => {
    const pages = await pagesOf(fql`Thing.all().map(.n).pageSize(15)`);
    assert.deepEqual(pages.map((page) => page.length), [15, 15, 10]);
    const first = await data(fql`Thing.all().map(.n).paginate(3)`);
    assert.deepEqual(first.data, [0, 1, 2]);
    assert.deepEqual((await data(fql`Set.paginate(${first.after}, 5)`)).data, numbers(3, 8));
    const last = await data(fql`Thing.all().paginate(40)`);
    assert.equal('after' in last && last.after !== null, false);
    assert.equal((await failure(client.query(fql`Thing.all().paginate(16001)`))).code, 'invalid_bounds');
  });

  test('a page, a set within a document of the result, and a query are paginated alike', async () => {
    const page = await data(fql`Thing.all().map(.n)`);
    assert.ok(page instanceof Page);
    assert.deepEqual((await pagesOf(page)).flat(), numbers(0, 40));
    const { things } = await data(fql`{ things: Thing.all().map(.n) }`);
    assert.deepEqual((await pagesOf(things)).flat(), numbers(0, 40));
    assert.deepEqual((await pagesOf(new EmbeddedSet((await data(fql`Thing.all().map(.n).paginate(39)`)).after))).flat(), [39]);
    assert.deepEqual(await pagesOf(fql`5`), [[5]]);
    const flat = [];
    for await (const n of SetIterator.fromQuery(client, fql`Thing.all().map(.n)`).flatten()) flat.push(n);
    assert.deepEqual(flat, numbers(0, 40));
  });

  test('a set in a field of a document is a cursor, and goes on as the set', async () => {
    await data(fql`Collection.create({ name: "Shop", computed_fields: { things: { body: "_ => Thing.all().map(.n)" } } })`);
    const shop = await data(fql`Shop.create({ name: "corner" })`);
    assert.ok(shop.things instanceof EmbeddedSet);
    assert.deepEqual((await pagesOf(shop.things)).flat(), numbers(0, 40));
    assert.equal((await data(fql`Set.paginate(${shop.things.after}, 5)`)).data.length, 5);
    const { things } = await data(fql`Shop.all().first() { things }`);
    assert.ok(things instanceof Page);
  });

  test('an iterator ends early', async () => {
    const iterator = client.paginate(fql`Thing.all()`);
    assert.equal((await iterator.next()).value.length, 16);
    await iterator.return();
    assert.deepEqual(await iterator.next(), { value: undefined, done: true });
  });

  test('filters, orders, maps and indexes go on behind their cursors', async () => {
    assert.deepEqual((await pagesOf(fql`Thing.where(.n % 2 == 0).map(.n)`)).map((page) => page.length), [16, 4]);
    assert.deepEqual((await pagesOf(fql`Thing.byKind("odd").map(.n).pageSize(7)`)).flat(),
      numbers(0, 40).filter((n) => n % 2 === 1).reverse());
    assert.deepEqual((await pagesOf(fql`Thing.all().order(desc(.n)).map(.n).pageSize(13)`)).flat(), numbers(0, 40).reverse());
    assert.deepEqual((await pagesOf(fql`Thing.byKind("even", { from: 30, to: 10 }).map(.n)`)).flat(),
      numbers(10, 31).filter((n) => n % 2 === 0).reverse());
    assert.deepEqual((await pagesOf(fql`Thing.all().reverse().take(20).map(.n)`)).flat(), numbers(20, 40).reverse());
    assert.deepEqual((await pagesOf(fql`Set.sequence(0, 40)`)).flat(), numbers(0, 40));
    assert.deepEqual((await pagesOf(fql`Thing.where(.n < 3).flatMap(x => Set.sequence(0, x.n))`)).flat(), [0, 0, 1]);
    const factor = 3;
    assert.deepEqual((await pagesOf(fql`let f = ${factor}; Thing.all().map(x => x.n * f).pageSize(20)`)).flat(),
      numbers(0, 40).map((n) => n * 3));
  });

  test('the methods of sets answer', async () => {
    assert.deepEqual(await data(fql`
      let things = Thing.byKind("even")
      [things.first()!.n, things.last()!.n, things.count(), things.isEmpty(), things.any(.n == 4), things.every(.n < 40),
       things.map(.n).fold(0, (a, b) => a + b), things.map(.n).reduce((a, b) => if (a > b) a else b),
       things.map(.kind).distinct().toArray(), things.drop(18).map(.n).toArray(), things.firstWhere(.n < 5)!.n,
       things.map(.n).includes(7), things.take(1).concat(things.take(1)).count()]`),
    [38, 0, 20, false, true, true, 380, 38, ['even'], [2, 0], 4, false, 2]);
  });

  test('an array is made a set, and a set an array', async () => {
    const page = await data(fql`${numbers(0, 20)}.toSet()`);
    assert.ok(page instanceof Page);
    assert.deepEqual((await pagesOf(page)).flat(), numbers(0, 20));
    assert.deepEqual(await data(fql`Set.sequence(0, 20).toArray()`), numbers(0, 20));
    assert.equal((await failure(client.query(fql`Set.sequence(0, 16001).toArray()`))).code, 'value_too_large');
  });

  test('a cursor is of its database, and of any secret of it', async () => {
    const { after } = await data(fql`Thing.all().map(.n).paginate(39)`);
    const { data: secret } = await client.query(fql`Key.create({ role: "server-readonly" }).secret`);
    const other = server.client(secret, { transport });
    assert.deepEqual((await other.query(fql`Set.paginate(${after})`)).data.data, [39]);
    const { client: elsewhere } = await server.freshDatabase({ transport });
    assert.equal((await failure(elsewhere.query(fql`Set.paginate(${after})`))).code, 'invalid_cursor');
    assert.equal((await failure(client.query(fql`Set.paginate(1)`))).code, 'invalid_argument');
  });
});

test('a cursor outlives a restart of the server', async () => {
  const { client, name } = await server.freshDatabase();
  await client.query(fql`Collection.create({ name: "Thing" })`);
  await client.query(fql`Set.sequence(0, 20).forEach(n => Thing.create({ n: n }))`);
  const { data: { after } } = await client.query(fql`Thing.all().map(.n).paginate(18)`);
  await server.restart();
  const again = server.client(`secret:${name}:admin`);
  assert.deepEqual((await again.query(fql`Set.paginate(${after})`)).data.data, [18, 19]);
});
