// The real binary with Debian's Chromium in front of its console.
'use strict';

const { mkdirSync } = require('node:fs');
const { join } = require('node:path');
const { after, before } = require('node:test');
const { chromium } = require('playwright-core');
const { Server } = require('../conformance/server');

// Where pictures of the pages go.
const PICTURES = process.env.CONSOLE_PICTURES ?? join(__dirname, '../../build/console-pictures');

class ConsoleServer extends Server {
  // Runs for the tests of a file; `prepare` is called before the first of them.
  static forTests(flags, prepare = async () => {}) {
    const server = new this(flags);
    before(async () => {
      await server.launch();
      await prepare(server);
    });
    after(() => server.stop());
    return server;
  }

  // Creates a collection with documents, each with a lifetime in seconds (null: it lives on).
  async fill(database, collection, policy, documents) {
    await this.expect('PUT', `v1/databases/${database}`, {});
    await this.expect('PUT', `v1/databases/${database}/collections/${collection}`, policy);
    for (const [id, ttl, data] of documents) {
      const query = ttl === null ? '' : `?ttl=${ttl}`;
      await this.expect('PUT', `v1/databases/${database}/collections/${collection}/documents/${encodeURIComponent(id)}${query}`, data);
    }
  }

  async expect(method, path, body) {
    const { status, body: answer } = await this.fetchNative(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer;
  }
}

// Chromium for the tests of a file.
class Browser {
  static forTests() {
    const browser = new this();
    before(async () => {
      browser.program = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    });
    after(() => browser.program.close());
    return browser;
  }

  // A page at an address of the console. `page.faults` has what went wrong in it.
  async open(server, path, options = {}) {
    const context = await this.program.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.faults = [];
    page.on('pageerror', (error) => page.faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') page.faults.push(message.text());
    });
    page.on('requestfailed', (request) => {
      if (!request.failure().errorText.includes('ERR_ABORTED')) page.faults.push(`${request.url()} failed`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(server.native)) page.faults.push(`${request.url()} is elsewhere`);
    });
    await page.goto(new URL(`console/${path}`, server.native).href);
    return page;
  }
}

async function takePicture(page, name) {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

module.exports = { Browser, ConsoleServer, takePicture };
