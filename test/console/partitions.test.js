// Two documents of one id in partitions that JavaScript's numbers cannot tell apart.
'use strict';

const assert = require('node:assert');
const { createHmac } = require('node:crypto');
const { test } = require('node:test');
const { Browser, ConsoleServer } = require('./browser');

const well_known_key = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const collection = 'v1/databases/shop/collections/parts';

class Server extends ConsoleServer {
  static listens = ['native', 'cosmos'];

  // Only that API makes collections with partitions.
  async createByCosmos(path, type, link, body) {
    const date = new Date().toUTCString();
    const signed = `post\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
    const signature = createHmac('sha256', Buffer.from(well_known_key, 'base64')).update(signed).digest('base64');
    const headers = {
      authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
      'x-ms-date': date,
      'x-ms-version': '2018-12-31',
      'content-type': 'application/json',
    };
    const answer = await fetch(new URL(path, this.cosmos), { method: 'POST', headers, body: JSON.stringify(body) });
    assert.strictEqual(answer.status, 201, await answer.text());
  }

  async createText(text) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(new URL(`${collection}/documents?id=x`, this.native), { method: 'POST', headers, body: text });
    assert.strictEqual(answer.status, 201, await answer.text());
  }

  async trash() {
    return (await fetch(new URL(`${collection}/trash`, this.native))).text();
  }
}

const partitions = ['9007199254740993', '9007199254740992'];
const server = Server.forTests([], async () => {
  // The signature counts by the server's clock, which is virtual and began as this machine's.
  await server.createByCosmos('dbs', 'dbs', '', { id: 'shop' });
  await server.createByCosmos('dbs/shop/colls', 'colls', 'dbs/shop', { id: 'parts', partitionKey: { paths: ['/pk'], kind: 'Hash' } });
  await server.expect('PATCH', collection, { keep_trash_for: 'forever' });
  for (const partition of partitions) {
    await server.createText(`{"pk":${partition}}`);
    await server.expect('DELETE', `${collection}/documents/x?partition=[${partition}]`);
  }
});
const browser = Browser.forTests();

test('the chosen one is erased, and not the other', async () => {
  const page = await browser.open(server, 'trash/shop/parts');
  for (const partition of partitions) await page.locator('main tbody tr', { hasText: partition }).waitFor();
  await page.locator('main tbody tr', { hasText: partitions[0] }).getByRole('button', { name: /^Erase/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
  await page.locator('main tbody tr', { hasText: partitions[0] }).waitFor({ state: 'detached' });
  const left = await server.trash();
  assert.ok(left.includes(partitions[1]) && !left.includes(partitions[0]), left);
  assert.deepStrictEqual(page.faults, []);
  await page.context().close();
});
