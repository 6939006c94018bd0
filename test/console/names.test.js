// Names and ids that addresses cannot hold, or that look alike as numbers: a small removal never becomes a
// large one.
'use strict';

const assert = require('node:assert');
const http = require('node:http');
const { test } = require('node:test');
const { Browser, ConsoleServer } = require('./browser');

const server = ConsoleServer.forTests([], async () => {
  await server.fill('shop', 'carts', { keep_trash_for: 'forever' }, [['kept', null, {}], ['<img src=x onerror=alert(1)>', null, {}]]);
  await server.expect('POST', 'v1/databases/shop/collections/carts/documents?id=..', {});
  assert.strictEqual(await removeAsIs('/v1/databases/shop/collections/carts/documents/..'), 204);
});
const browser = Browser.forTests();

// fetch() would shorten the path.
function removeAsIs(path) {
  const { hostname, port } = new URL(server.native);
  return new Promise((done, failed) => {
    const request = http.request({ hostname, port, path, method: 'DELETE' }, (answer) => done(answer.resume().statusCode));
    request.on('error', failed);
    request.end();
  });
}

test('the erasure of a document named .. removes nothing else', async () => {
  const page = await browser.open(server, 'trash/shop/carts');
  await page.getByRole('button', { name: /^Erase \.\./ }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.getByText(/cannot address the name/).first().waitFor();
  const { count } = await server.expect('GET', 'v1/databases/shop/collections/carts/count');
  assert.strictEqual(count, 2);
  await page.context().close();
});

test('a page of a name that no address holds says so', async () => {
  const page = await browser.open(server, 'documents/shop/%2E%2E');
  await page.locator('main').getByText(/./).first().waitFor();
  await page.context().close();
});

test('a client that shortens addresses drops nothing', async () => {
  const answer = await fetch(new URL('v1/databases/shop/collections/carts/documents/..', server.native), { method: 'DELETE' });
  assert.strictEqual(answer.status, 400);
  assert.match(await answer.text(), /without a slash/);
});

test('an id is text, not HTML', async () => {
  const page = await browser.open(server, 'documents/shop/carts');
  await page.locator('main tbody tr', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
  assert.strictEqual(await page.locator('main img').count(), 0);
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});
