// Each page of the console opens without a fault, can be read by a screen reader, and follows the
// server's clock.
'use strict';

const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { test } = require('node:test');
const { Browser, ConsoleServer, takePicture } = require('./browser');

const server = ConsoleServer.forTests([], async () => {
  const policy = { keep_history_for: 86_400, keep_trash_for: 'forever', keep_purges_for: 86_400 };
  await server.fill('shop', 'carts', policy, [
    ['ada', 60, { items: 3, plan: 'team' }],
    ['bob', 7_200, { items: 1, plan: 'free' }],
    ['cyd', null, { items: 9, plan: 'team' }],
  ]);
  await server.expect('PUT', 'v1/databases/shop/collections/carts/documents/gone', {});
  await server.expect('DELETE', 'v1/databases/shop/collections/carts/documents/gone');
});
const browser = Browser.forTests();

const pages = {
  overview: '',
  collections: 'collections',
  policy: 'collections/shop/carts',
  documents: 'documents/shop/carts',
  document: 'documents/shop/carts?open=bob',
  query: 'query/shop/carts',
  events: 'events/shop/carts',
  trash: 'trash/shop/carts',
  holds: 'holds/shop/carts',
  clock: 'clock',
};

// What axe-core finds serious.
async function barriers(page) {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}

for (const [name, path] of Object.entries(pages)) {
  for (const colorScheme of ['light', 'dark']) {
    test(`${name} opens, ${colorScheme}`, async () => {
      const page = await browser.open(server, path, { colorScheme });
      await page.waitForSelector('main h1');
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {});  // a page with a stream is never idle
      await takePicture(page, `${name}-${colorScheme}`);
      assert.deepStrictEqual(page.faults, []);
      assert.deepStrictEqual(await barriers(page), []);
      await page.context().close();
    });
  }
}

test('a document leaves the table at its instant', async () => {
  const page = await browser.open(server, 'documents/shop/carts');
  const row = page.locator('main tbody tr', { hasText: 'ada' });
  await row.waitFor();
  await server.advanceSeconds(61);
  await row.waitFor({ state: 'detached', timeout: 10_000 });
  assert.strictEqual(await page.locator('main tbody tr', { hasText: 'bob' }).count(), 1);
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});
