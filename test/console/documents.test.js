// Documents in the console: nothing of them is lost, and no change of another client.
'use strict';

const assert = require('node:assert');
const { test } = require('node:test');
const { Browser, ConsoleServer } = require('./browser');

const path = 'v1/databases/shop/collections/carts/documents';
const large = '{"n":9007199254740993,"price":0.1,"name":"<b>ada</b>"}';

const server = ConsoleServer.forTests([], async () => {
  await server.fill('shop', 'carts', { keep_history_for: 86_400 }, [['other', null, {}]]);
  await put('ada', large);
});
const browser = Browser.forTests();

// The text as it is: numbers keep their digits.
async function put(id, text) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(new URL(`${path}/${id}`, server.native), { method: 'PUT', headers, body: text });
  assert.ok(answer.ok, await answer.text());
}

async function textOf(id) {
  return (await fetch(new URL(`${path}/${id}`, server.native))).text();
}

// Types into the editor of the open document, in place of its text.
async function edit(page, text) {
  const editor = page.locator('.cm-content');
  await editor.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

test('a changed document keeps the digits of its numbers', async () => {
  const page = await browser.open(server, 'documents/shop/carts?open=ada');
  await page.locator('.cm-content').waitFor();
  await edit(page, large.replace('0.1', '0.10'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/revision 2/).waitFor();
  assert.match(await textOf('ada'), /"n":9007199254740993/);
  assert.strictEqual(await page.locator('main b').count(), 0, 'a value is text, not HTML');
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});

test('the change of another client is not overwritten', async () => {
  await put('eve', '{"n":1}');
  const page = await browser.open(server, 'documents/shop/carts?open=eve');
  await page.locator('.cm-content').waitFor();
  await edit(page, '{"n":2}');
  await put('eve', '{"n":3}');
  // The page may have seen the newer version already: then the button is disabled.
  await page.getByRole('button', { name: 'Save', exact: true }).click({ timeout: 2_000 }).catch(() => {});
  await page.getByText('There is a newer version').waitFor();
  assert.match(await textOf('eve'), /"n":3/);
  assert.match(await page.locator('.cm-content').innerText(), /"n":2/);
  await page.context().close();
});

test('the past of a collection is shown, and only read', async () => {
  await put('fay', '{"n":1}');
  const { now } = await server.expect('GET', 'v1/clock');
  await server.advanceSeconds(100);
  await server.expect('DELETE', `${path}/fay`);
  const page = await browser.open(server, `documents/shop/carts?as_of=${encodeURIComponent(now)}`);
  await page.locator('main tbody tr', { hasText: 'fay' }).waitFor();
  assert.strictEqual(await page.getByRole('button', { name: 'New document' }).isEnabled().catch(() => false), false);
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});
