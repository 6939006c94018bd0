// The files of the console: their addresses, their headers, and that no address leads elsewhere.
'use strict';

const assert = require('node:assert');
const http = require('node:http');
const { test } = require('node:test');
const { brotliDecompressSync, gunzipSync } = require('node:zlib');
const { ConsoleServer } = require('./browser');

const server = ConsoleServer.forTests(['--auth-keys', 'k1']);

// Without the corrections that fetch() makes to a path.
function ask(path, { method = 'GET', headers = {} } = {}) {
  const { hostname, port } = new URL(server.native);
  return new Promise((done, failed) => {
    const request = http.request({ hostname, port, path, method, headers }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces) }));
    });
    request.on('error', failed);
    request.end();
  });
}

test('the first addresses lead to the page', async () => {
  for (const path of ['/', '/console']) {
    const { status, headers } = await ask(path);
    assert.strictEqual(status, 302, path);
    assert.strictEqual(headers.location, '/console/');
  }
  for (const path of ['/console/', '/console/documents/shop/a.b', '/console/query/x/y?filter=a%20%3D%201']) {
    const { status, headers, body } = await ask(path);
    assert.strictEqual(status, 200, path);
    assert.strictEqual(headers['content-type'], 'text/html; charset=utf-8');
    assert.match(body.toString(), /<div id="app">/);
  }
});

test('files are the same in each coding, and only those with a hash are kept', async () => {
  const page = (await ask('/console/')).body.toString();
  const files = [...page.matchAll(/"(\/console\/[^"]+)"/g)].map(([, path]) => path);
  assert.ok(files.length >= 3, page);
  for (const path of [...files, '/console/']) {
    const plain = await ask(path);
    const brotli = await ask(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    const gzip = await ask(path, { headers: { 'accept-encoding': 'gzip' } });
    assert.strictEqual(brotli.headers['content-encoding'], 'br');
    assert.strictEqual(gzip.headers['content-encoding'], 'gzip');
    assert.deepStrictEqual(brotliDecompressSync(brotli.body), plain.body);
    assert.deepStrictEqual(gunzipSync(gzip.body), plain.body);
    const isFixed = /-[A-Z0-9]{8}\./.test(path);
    assert.strictEqual(plain.headers['cache-control'], isFixed ? 'public, max-age=31536000, immutable' : 'no-cache');
  }
});

test('a coding is sent only to those who take it', async () => {
  const expected = {
    'br;q=0': undefined, 'br;q=0.000, gzip': 'gzip', 'gzip;q=0, *': undefined, abracadabra: undefined, BR: 'br', 'br ; Q=0.1': 'br',
  };
  for (const [accepted, coding] of Object.entries(expected)) {
    const { headers } = await ask('/console/', { headers: { 'accept-encoding': accepted } });
    assert.strictEqual(headers['content-encoding'], coding, accepted);
  }
});

test('the first page is small', async () => {
  const page = await ask('/console/', { headers: { 'accept-encoding': 'br' } });
  const files = [...(await ask('/console/')).body.toString().matchAll(/"(\/console\/[^"]+)"/g)];
  let bytes = page.body.length;
  for (const [, path] of files) bytes += (await ask(path, { headers: { 'accept-encoding': 'br' } })).body.length;
  assert.ok(bytes <= 100_000, `${bytes} bytes`);
});

test('nothing else is allowed in the page', async () => {
  const { headers } = await ask('/console/');
  assert.match(headers['content-security-policy'], /^default-src 'none'; script-src 'self'; style-src 'self';/);
  assert.doesNotMatch(headers['content-security-policy'], /unsafe/);
  assert.match(headers['content-security-policy'], /frame-ancestors 'none'/);
  assert.strictEqual(headers['x-content-type-options'], 'nosniff');
  assert.strictEqual(headers['referrer-policy'], 'no-referrer');
});

test('the console is only read', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const { status, headers } = await ask('/console/', { method, headers: { 'content-type': 'application/json' } });
    assert.strictEqual(status, 405, method);
    assert.strictEqual(headers.allow, 'GET, HEAD');
  }
  assert.strictEqual((await ask('/console/', { method: 'HEAD' })).body.length, 0);
});

test('a server without keys answers only to names of this machine', async () => {
  const open = await ConsoleServer.start();
  const { hostname, port } = new URL(open.native);
  const headers = { host: 'rebound.example' };
  const status = await new Promise((done) => {
    http.get({ hostname, port, path: '/console/', headers }, (answer) => done(answer.resume().statusCode));
  });
  assert.strictEqual(status, 421);
  await open.stop();
});

// Ways out of a folder, in the notations that servers have fallen for.
function escapes() {
  const up = ['..', '%2e%2e', '%2E.', '..%2f', '..%5c', '..\\', '....//', '%252e%252e', '..%c0%af', '.%00.', '..;'];
  const targets = ['etc/passwd', 'proc/self/environ', 'MAYFLY.marker', 'CURRENT', 'auth.keys'];
  const paths = [];
  for (const step of up) {
    for (const target of targets) {
      for (const depth of [1, 2, 3, 8]) paths.push(`/console/${`${step}/`.repeat(depth)}${target}`);
      for (const name of ['app.js', 'index.html', 'favicon.svg']) paths.push(`/console/${name}/${step}/${step}/${target}`);
    }
    for (const more of ['', '/', '%00', '?x', '.js', '%23', '%3f', '.brotli', '.gzip']) paths.push(`/console/${step}${more}`);
  }
  return paths;
}

test('no address leads out of the table of files', async () => {
  const page = (await ask('/console/')).body;
  const all = escapes();
  assert.ok(all.length >= 450, String(all.length));
  for (const path of all) {
    const { status, body } = await ask(path);
    const isPage = status === 200 && body.equals(page);
    assert.ok(isPage || (status >= 400 && status < 500), `${path}: ${status} ${body.toString().slice(0, 80)}`);
  }
});
