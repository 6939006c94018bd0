// What the pages of Kuzzle's Admin Console ask, from a page of another origin in a real browser, with the build of
// Kuzzle's client for browsers. The console itself is not in npm's registry and was not run.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const http = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { after, before, test } = require('node:test');
const { Server } = require('./server');

const CONSOLE = 'console.example';
const PATIENCE = 60_000; // for a browser that starts on a busy machine
const SDK = readFileSync(join(__dirname, 'node_modules/kuzzle-sdk-7/dist/kuzzle.js'));

// The requests of each page of the console, in order; `check` is asked of the result, in the page.
const user = (username, profileIds) => ({ content: { profileIds, name: username }, credentials: { local: { username, password: 'pw' } } });
const place = { index: 'shop', collection: 'shoes' };
const PAGES = [
  ['create the first administrator', [
    ['server:adminExists', {}, 'r.exists === false'],
    ['security:createFirstAdmin', { _id: 'boss', body: user('boss', undefined), reset: true }, 'r._id === "boss"']]],
  ['log in', [
    ['auth:login', { strategy: 'local', body: { username: 'boss', password: 'pw' } }, 'r._id === "boss" && (kuzzle.jwt = r.jwt)'],
    ['auth:checkToken', { body: { token: '$jwt' } }, 'r.valid && r.kuid === "boss"'],
    ['server:adminExists', {}, 'r.exists === true'],
    ['auth:getCurrentUser', {}, 'r._source.profileIds[0] === "admin"'],
    ['auth:getMyRights', {}, 'r.hits[0].action === "*" && r.hits[0].value === "allowed"'],
    ['server:info', {}, 'r.serverInfo.kuzzle.version.startsWith("2.")'],
    ['server:publicApi', {}, 'r.document.search.http.length > 0']]],
  ['browse', [
    ['index:create', { index: 'shop' }, 'true'],
    ['collection:create', { ...place, body: { mappings: { dynamic: 'true', properties: { name: { type: 'text' }, size: { type: 'integer' }, at: { type: 'geo_point' } } } } }, 'r.acknowledged'],
    ['index:list', { countCollection: true }, 'r.indexes.includes("shop")'],
    ['collection:list', { index: 'shop', size: 0, type: 'all' }, 'r.collections.some((c) => c.name === "shoes" && c.type === "stored")'],
    ['index:stats', {}, 'r.indexes[0].collections[0].name === "shoes"'],
    ['collection:getMapping', { ...place, includeKuzzleMeta: true }, 'r.properties.size.type === "integer" && r.properties._kuzzle_info.properties.author.type === "keyword"']]],
  ['edit documents', [
    ['document:create', { ...place, _id: 'red', body: { name: 'red shoe', size: 41, at: { lat: 1, lon: 2 } } }, 'r._source.size === 41'],
    ['document:create', { ...place, _id: 'blue', body: { name: 'blue boot', size: 43, colour: 'blue' } }, 'r._version === 1'],
    ['document:create', { ...place, body: { name: 'no size' } }, 'r._id.length === 20'],
    ['document:get', { ...place, _id: 'red' }, 'r._source._kuzzle_info.author === "boss"'],
    ['document:update', { ...place, _id: 'red', body: { size: 42 } }, 'r._version === 2'],
    ['document:replace', { ...place, _id: 'blue', body: { name: 'blue boot', size: 44 } }, 'r._source.size === 44'],
    ['document:createOrReplace', { ...place, _id: 'green', body: { name: 'green shoe', size: 40 } }, 'r.created === true'],
    ['document:mDelete', { ...place, body: { ids: ['green'] } }, 'r.successes[0] === "green"'],
    ['collection:getMapping', place, 'r.properties.colour.type === "text"']]],
  ['search', [
    ['document:search', { ...place, from: 0, size: 25, body: { query: {}, sort: [{ '_kuzzle_info.createdAt': 'desc' }] } }, 'r.total === 3'],
    ['document:search', { ...place, body: { query: { query_string: { query: 'sho*' } } } }, 'r.hits.length === 1'],
    ['document:search', { ...place, body: { query: { multi_match: { query: 'boot', fields: ['name'], type: 'phrase_prefix' } } } }, 'r.hits[0]._id === "blue"'],
    ['document:search', { ...place, body: { query: { bool: { must: [{ match_phrase: { name: 'red shoe' } }], must_not: [{ term: { size: 40 } }] } } } }, 'r.hits[0]._id === "red"'],
    ['document:search', { ...place, body: { query: { bool: { should: [{ bool: { must: [{ match_phrase_prefix: { name: 'blu' } }] } }, { bool: { must: [{ regexp: { name: '.*shoe.*' } }] } }] } } } }, 'r.total === 2'],
    ['document:search', { ...place, body: { query: { bool: { must: [{ range: { size: { gt: 42, lt: 50 } } }] } } } }, 'r.hits[0]._id === "blue"'],
    ['document:search', { ...place, body: { query: { bool: { must_not: [{ exists: { field: 'size' } }] } } } }, 'r.total === 1'],
    ['document:search', { ...place, body: { query: { geo_bounding_box: { at: { top_left: { lat: 5, lon: 0 }, bottom_right: { lat: 0, lon: 5 } } } } } }, 'r.hits[0]._id === "red"'],
    ['document:search', { ...place, lang: 'koncorde', body: { query: { and: [{ exists: 'size' }, { not: { equals: { size: 42 } } }] } } }, 'r.hits[0]._id === "blue"'],
    ['document:count', { ...place, body: { query: { ids: { values: ['red', 'none'] } } } }, 'r.count === 1']]],
  ['watch', [
    ['realtime:subscribe', { ...place, scope: 'all', users: 'all', body: { range: { size: { gte: 40 } } } }, 'r.roomId && r.channel && watch(r.channel)'],
    ['document:create', { ...place, _id: 'seen', body: { size: 45 } }, 'await heard("document create in seen")'],
    ['document:update', { ...place, _id: 'seen', body: { size: 1 } }, 'await heard("document update out seen")'],
    ['realtime:publish', { ...place, body: { size: 50 } }, 'await heard("document publish in null")'],
    ['realtime:list', {}, 'Object.values(r.shop.shoes)[0] === 1'],
    ['realtime:unsubscribe', { body: { roomId: '$room' } }, 'r.roomId']]],
  ['users', [
    ['security:createUser', { _id: 'ann', body: user('ann', ['default']) }, 'r._id === "ann"'],
    ['security:searchUsers', { from: 0, size: 10, body: {} }, 'r.total === 2'],
    ['security:getUser', { _id: 'ann' }, 'r._source.profileIds[0] === "default"'],
    ['security:getUserStrategies', { _id: 'ann' }, 'r.strategies[0] === "local"'],
    ['security:getCredentials', { _id: 'ann', strategy: 'local' }, 'r.username === "ann"'],
    ['security:getAllCredentialFields', {}, 'r.local.includes("username")'],
    ['security:replaceUser', { _id: 'ann', body: { profileIds: ['default'], name: 'Ann' } }, 'r._source.name === "Ann"'],
    ['security:updateCredentials', { _id: 'ann', strategy: 'local', body: { username: 'ann', password: 'new' } }, 'r.username === "ann"'],
    ['security:getUserMapping', {}, 'r.mapping.profileIds.type === "keyword"'],
    ['security:updateUserMapping', { body: { properties: { name: { type: 'keyword' } } } }, 'true'],
    ['security:mDeleteUsers', { body: { ids: ['ann'] } }, 'r[0] === "ann"']]],
  ['profiles and roles', [
    ['security:createRole', { _id: 'reader', body: { controllers: { document: { actions: { search: true, get: true } } } } }, 'r._id === "reader"'],
    ['security:searchRoles', { from: 0, size: 10, body: { controllers: ['document'] } }, 'r.hits.some((hit) => hit._id === "reader")'],
    ['security:getRole', { _id: 'reader' }, 'r._source.controllers.document.actions.get'],
    ['security:updateRole', { _id: 'reader', body: { controllers: { document: { actions: { get: true } } } } }, 'r._id === "reader"'],
    ['security:createProfile', { _id: 'readers', body: { policies: [{ roleId: 'reader', restrictedTo: [{ index: 'shop' }] }] } }, 'r._id === "readers"'],
    ['security:searchProfiles', { from: 0, size: 10, body: { roles: ['reader'] } }, 'r.hits[0]._id === "readers"'],
    ['security:getProfile', { _id: 'readers' }, 'r._source.policies[0].roleId === "reader"'],
    ['security:deleteProfile', { _id: 'readers' }, 'r._id === "readers"'],
    ['security:deleteRole', { _id: 'reader' }, 'r._id === "reader"']]],
  ['mappings and the end', [
    ['collection:update', { ...place, body: { mappings: { properties: { brand: { type: 'keyword' } } } } }, 'true'],
    ['collection:getSettings', place, 'r.provided_name === "&shop.shoes"'],
    ['collection:truncate', place, 'true'],
    ['collection:delete', place, 'true'],
    ['index:delete', { index: 'shop' }, 'true'],
    ['server:getAllStats', {}, 'Array.isArray(r.hits)'],
    ['auth:logout', {}, 'true']]],
];

// In the page: each request as its page of the console sends it.
const REPLAY = `
const channels = [];
const told = [];
let hearers = [];
const heard = async (word) => {
  while (!told.includes(word)) await new Promise((done) => hearers.push(done));
  return true;
};
async function replay(kuzzle, pages) {
  const watch = (channel) => {
    kuzzle.protocol.on(channel, (n) => {
      if (n.type !== 'document') return;
      told.push([n.type, n.action, n.scope, String(n.result._id)].join(' '));
      hearers.splice(0).forEach((done) => done());
    });
    return true;
  };
  const done = [];
  let room;
  for (const [page, requests] of pages) {
    for (const [what, more, check] of requests) {
      const [controller, action] = what.split(':');
      const text = JSON.stringify(more).replace('$jwt', kuzzle.jwt).replace('$room', room);
      let r;
      try {
        r = (await kuzzle.query({ controller, action, ...JSON.parse(text) })).result;
      } catch (error) {
        return { failure: page + ': ' + what + ': ' + error.message };
      }
      if (r && r.roomId) room = r.roomId;
      const holds = await new Function('r', 'kuzzle', 'watch', 'heard', 'return (async () => ' + check + ')()')(r, kuzzle, watch, heard);
      if (!holds) return { failure: page + ': ' + what + ': ' + JSON.stringify(r) };
      done.push(what);
    }
  }
  return { done: done.length };
}
async function work({ host, port, pages }) {
  const kuzzle = new KuzzleSDK.Kuzzle(new KuzzleSDK.WebSocket(host, { port, autoReconnect: false }));
  await kuzzle.connect();
  return replay(kuzzle, pages);
}
`;

// In the page: a login whose token only the browser keeps.
const COOKIE = `
async function work({ host, port }) {
  const kuzzle = new KuzzleSDK.Kuzzle(new KuzzleSDK.Http(host, { port }), { cookieAuth: true });
  await kuzzle.connect();
  const found = {};
  try {
    await kuzzle.auth.login('local', { username: 'boss', password: 'pw' });
    found.cookie = document.cookie;
    found.user = (await kuzzle.auth.getCurrentUser())._id;
    found.written = (await kuzzle.query({ controller: 'index', action: 'create', index: 'by-cookie' })).status;
    await kuzzle.auth.logout();
    found.afterwards = (await kuzzle.auth.getCurrentUser())._id;
  } catch (error) {
    found.failure = error.message;
  }
  return found;
}
`;

// A site with one page, which does its work and reports what came of it.
async function visit(host, script, given) {
  let report;
  const reported = new Promise((done) => { report = done; });
  const page = `<!doctype html><link rel="icon" href="data:,"><script>window.process = { env: {} }; // as bundlers define it
</script><script src="/sdk.js"></script><script>${script}
work(${JSON.stringify(given)}).catch((error) => ({ failure: String(error) }))
  .then((found) => fetch('/report', { method: 'POST', body: JSON.stringify(found) }));</script>`;
  const site = http.createServer((request, response) => {
    if (request.url === '/sdk.js') return response.setHeader('content-type', 'text/javascript').end(SDK);
    if (request.url !== '/report') return response.setHeader('content-type', 'text/html').end(page);
    let body = '';
    request.on('data', (piece) => { body += piece; });
    request.on('end', () => { response.end(); report(JSON.parse(body)); });
  });
  await new Promise((done) => { site.listen(given.sitePort ?? 0, '127.0.0.1', done); });
  const profile = mkdtempSync(join(tmpdir(), 'mayfly-console-'));
  const browser = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', `--host-resolver-rules=MAP ${CONSOLE} 127.0.0.1`,
    `--user-data-dir=${profile}`, `http://${host}:${site.address().port}/`], { stdio: 'ignore', detached: true });
  const ended = new Promise((done) => { browser.once('exit', done); });
  const late = setTimeout(() => report({ failure: 'the page reported nothing' }), PATIENCE);
  try {
    return await reported;
  } finally {
    clearTimeout(late);
    process.kill(-browser.pid, 'SIGKILL'); // with its own processes
    await ended;
    site.close();
    site.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

// The origin must be known before the server starts.
function freePort() {
  return new Promise((done) => {
    const probe = http.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

let server;
let sitePort;
before(async () => {
  sitePort = await freePort();
  server = await Server.start(['--cors-origins', `loopback,http://${CONSOLE}:${sitePort}`]);
});
after(async () => { await server.stop(); });

test('a page of an origin that is not admitted gets no connection', async () => {
  const found = await visit(CONSOLE, REPLAY, { host: '127.0.0.1', port: server.port, pages: [] });
  assert.match(found.failure ?? '', /connect/i, JSON.stringify(found));
});

test('every request of the console is answered to a page of an admitted origin', async () => {
  const found = await visit(CONSOLE, REPLAY, { host: '127.0.0.1', port: server.port, pages: PAGES, sitePort });
  assert.deepEqual(found, { done: PAGES.flatMap(([, requests]) => requests).length });
});

test('a page of this machine logs in by a cookie that it cannot read', async () => {
  const found = await visit('127.0.0.1', COOKIE, { host: '127.0.0.1', port: server.port });
  assert.deepEqual(found, { cookie: '', user: 'boss', written: 200, afterwards: '-1' });
});

test('a page of another site has no cookie sent, even if its origin is admitted', async () => {
  const found = await visit(CONSOLE, COOKIE, { host: '127.0.0.1', port: server.port, sitePort });
  assert.equal(found.user, '-1', JSON.stringify(found));
  assert.notEqual(found.written, 200);
});
