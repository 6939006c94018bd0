// Policies in the console: what a change would expire is shown before it is saved.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { Browser, ConsoleServer } = require('./browser');

const server = ConsoleServer.forTests([], async () => {
  await server.fill('shop', 'carts', { keep_history_for: 86_400 }, [
    ['ada', 60, { items: 3 }],
    ['bob', 7_200, { items: 1 }],
    ['cyd', null, { items: 9 }],
    ['dee', null, { items: 9 }],
  ]);
  const structure = { name: 'Sessions', id: 'str_sessions', defaultTtlSeconds: 3_600, properties: [{ name: 'email', type: 'string' }] };
  await server.expect('POST', 'data/workspace/acme/api/v1/structures', structure);
  await server.advanceSeconds(30);
});
const browser = Browser.forTests();

test('a new default is saved after the question, and only what has changed is sent', async () => {
  const page = await browser.open(server, 'collections/shop/carts');
  const changes = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') changes.push(request.postData());
  });
  await page.getByLabel('Default TTL', { exact: true }).selectOption('seconds');
  await page.getByLabel('Default TTL, number').fill('20');
  await page.getByText('2 documents expire at once.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 documents expire at once.').waitFor();
  assert.deepStrictEqual(changes, []);
  await dialog.getByRole('button', { name: 'Save, and expire them' }).click();
  await page.getByText('It is saved.').waitFor();
  assert.deepStrictEqual(changes, ['{"default_ttl":20}']);
  const { count } = await server.expect('GET', 'v1/databases/shop/collections/carts/count');
  assert.strictEqual(count, 2);
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});

test('a structure has its default TTL where its documentation says', async () => {
  const page = await browser.open(server, 'collections');
  await page.getByRole('link', { name: 'Structures' }).click();
  await page.locator('main').getByRole('link', { name: 'sessions' }).click();
  await page.getByRole('tab', { name: 'Settings' }).click();
  const field = page.getByLabel('Default Record TTL');
  assert.strictEqual(await field.inputValue(), '3600');
  await field.fill('86400');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It is saved.').waitFor();
  const structure = await server.expect('GET', 'data/workspace/acme/api/v1/structures/str_sessions');
  assert.strictEqual(structure.defaultTtlSeconds, 86_400);
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});
