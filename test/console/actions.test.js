// What a user does in the console has its effect in the server, and is seen at once.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { Browser, ConsoleServer } = require('./browser');

const collection = 'v1/databases/shop/collections/carts';
const server = ConsoleServer.forTests([], () =>
  server.fill('shop', 'carts', { keep_trash_for: 'forever', keep_history_for: 86_400 }, [['ada', null, { items: 3 }]]));
const closed = ConsoleServer.forTests(['--auth-keys', 'k1']);
const browser = Browser.forTests();

test('events are shown as they happen', async () => {
  const page = await browser.open(server, 'events/shop/carts');
  await page.getByText('There are no events yet.').waitFor();
  await server.expect('PUT', `${collection}/documents/bob`, {});
  await page.locator('main tbody tr', { hasText: 'bob' }).waitFor();
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});

test('a removed document is restored from the trash', async () => {
  await server.expect('PUT', `${collection}/documents/cyd`, { items: 1 });
  await server.expect('DELETE', `${collection}/documents/cyd`);
  const page = await browser.open(server, 'trash/shop/carts');
  await page.getByRole('button', { name: /^Restore cyd/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.locator('main tbody tr', { hasText: 'cyd' }).waitFor({ state: 'detached' });
  const { data } = await server.expect('GET', `${collection}/documents/cyd`);
  assert.deepStrictEqual(data, { items: 1 });
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});

test('the virtual clock is moved, and the page follows', async () => {
  const { now: before } = await server.expect('GET', 'v1/clock');
  const page = await browser.open(server, 'clock');
  await page.getByRole('button', { name: /60 d/ }).click();
  const day = new Date(Date.parse(before) + 60 * 86_400_000).toISOString().slice(0, 10);
  await page.locator('.server-time', { hasText: day }).waitFor();
  const { now: after } = await server.expect('GET', 'v1/clock');
  assert.ok(Date.parse(after) - Date.parse(before) >= 60 * 86_400_000);
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});

test('a server with keys asks for one, and keeps it nowhere', async () => {
  const page = await browser.open(closed, '');
  await page.getByLabel('Key').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('The server does not know this key.').waitFor();
  await page.getByLabel('Key').fill('k1');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([location.href, document.cookie, {...localStorage}, {...sessionStorage}])');
  assert.ok(!kept.includes('k1'), kept);
  await page.context().close();
});
