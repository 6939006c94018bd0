// Pages of browsers at Fauna's port: which may call, and what they must ask first, over HTTP/1.1 and HTTP/2.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const http2 = require('node:http2');
const { describe, test } = require('node:test');
const { Server } = require('./server');

const OURS = 'http://localhost:3000';
const OTHERS = 'https://evil.example';
const ADMITTED = 'https://app.example';
// What the driver sends from a browser.
const DRIVER_HEADERS = ['authorization', 'content-type', 'x-driver-env', 'x-format', 'x-last-txn-ts', 'x-query-timeout-ms'];
const QUERY = JSON.stringify({ query: 'Collection.all().count()' });
const CREATE = JSON.stringify({ query: 'Collection.create({ name: "ByPage" })' });

const servers = { loopback: Server.forTests(), admitting: Server.forTests(['--cors-origins', ADMITTED]) };

// What a connection says: the whole of it.
function whole(stream, status, headers) {
  return new Promise((done, fail) => {
    let body = '';
    stream.setEncoding('utf8').on('data', (piece) => { body += piece; }).on('error', fail);
    stream.on('end', () => done({ status, headers, body }));
  });
}

const VERSIONS = {
  'HTTP/1.1': (url, method, path, headers, body) => new Promise((done, fail) => {
    const request = http.request(new URL(path, url), { method, headers, agent: false }, (answer) => {
      whole(answer, answer.statusCode, answer.headers).then(done, fail);
    });
    request.on('error', fail).end(body);
  }),
  'HTTP/2': (url, method, path, { host, ...headers }, body) => new Promise((done, fail) => {
    const session = http2.connect(url).on('error', fail);
    const authority = host === undefined ? {} : { ':authority': host };
    const stream = session.request({ ':method': method, ':path': path, ...authority, ...headers });
    stream.on('error', fail).on('response', (given) => {
      whole(stream, given[':status'], given).then(done, fail).finally(() => session.close());
    });
    stream.end(body);
  }),
};

for (const [version, ask] of Object.entries(VERSIONS)) {
  describe(`pages of browsers, over ${version}`, () => {
    const preflight = (origin, { path = '/query/1', server = servers.loopback } = {}) =>
      ask(server.fauna, 'OPTIONS', path, { origin, 'access-control-request-method': 'POST',
        'access-control-request-headers': DRIVER_HEADERS.join(',') });
    // A request of a page; members that are undefined are not sent.
    const call = ({ path = '/query/1', body = QUERY, server = servers.loopback, secret = 'secret', ...headers }) => {
      const all = { 'content-type': 'application/json', authorization: secret && `Bearer ${secret}`, ...headers };
      return ask(server.fauna, 'POST', path, Object.fromEntries(Object.entries(all).filter(([, value]) => value)), body);
    };
    const opensTo = ({ headers }) => headers['access-control-allow-origin'];
    const collections = async () => JSON.parse((await call({})).body).data;

    test('a page of this machine may call', async () => {
      for (const path of ['/query/1', '/feed/1', '/stream/1', '/schema/1/files']) {
        const asked = await preflight(OURS, { path });
        assert.deepEqual([asked.status, opensTo(asked)], [200, OURS]);
        const words = (name) => asked.headers[name].toLowerCase().split(/\s*,\s*/);
        for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
          assert.ok(words('access-control-allow-methods').includes(method), method);
        }
        for (const name of DRIVER_HEADERS) assert.ok(words('access-control-allow-headers').includes(name), name);
      }
      const answer = await call({ origin: OURS });
      assert.deepEqual([answer.status, JSON.parse(answer.body).data, opensTo(answer)], [200, 0, OURS]);
      const refused = await call({ origin: OURS, secret: 'wrong' });
      assert.deepEqual([refused.status, JSON.parse(refused.body).error.code, opensTo(refused)], [401, 'unauthorized', OURS]);
    });

    test('a page of another origin gets nothing, with a secret or without', async () => {
      const asked = await preflight(OTHERS);
      assert.deepEqual([asked.status, opensTo(asked)], [403, undefined]);
      for (const secret of [null, 'wrong', 'secret']) {
        for (const path of ['/query/1', '/feed/1', '/stream/1', '/schema/1/update?force=true']) {
          const answer = await call({ origin: OTHERS, secret, path });
          assert.deepEqual([answer.status, opensTo(answer)], [403, undefined]);
        }
      }
      const pinged = await ask(servers.loopback.fauna, 'GET', '/ping', { origin: OTHERS });
      assert.deepEqual([pinged.status, opensTo(pinged)], [403, undefined]);
      assert.equal((await ask(servers.loopback.fauna, 'GET', '/ping', {})).status, 200);
    });

    test('a form writes nothing', async () => {
      const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
      for (const kind of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const form = { 'content-type': kind, body: CREATE };
        for (const origin of [OTHERS, 'null']) assert.equal((await call({ ...form, origin })).status, 403);
        assert.equal((await call({ ...form, ...site })).status, 403);
      }
      // A page that may call names the type of its body.
      assert.equal((await call({ origin: OURS, 'content-type': 'text/plain', body: CREATE })).status, 415);
      assert.equal(await collections(), 0);
    });

    test('a name that was rebound to this machine is not answered', async () => {
      assert.equal((await call({ host: 'rebound.example', body: CREATE })).status, 421);
      assert.equal(await collections(), 0);
    });

    test('an origin is admitted by name, and needs the secret', async () => {
      const server = servers.admitting;
      const asked = await preflight(ADMITTED, { server });
      assert.deepEqual([asked.status, opensTo(asked)], [200, ADMITTED]);
      const answer = await call({ server, origin: ADMITTED });
      assert.deepEqual([answer.status, opensTo(answer)], [200, ADMITTED]);
      const refused = await call({ server, origin: ADMITTED, secret: null });
      assert.deepEqual([refused.status, opensTo(refused)], [401, ADMITTED]);
      for (const origin of [OURS, OTHERS, 'https://app.example.evil.example', 'http://app.example']) {
        assert.equal((await call({ server, origin })).status, 403);
      }
    });

    test('a program that is no browser need not name the type of its body', async () => {
      assert.equal((await call({ 'content-type': undefined })).status, 200);
    });
  });
}
