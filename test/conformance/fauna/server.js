// The real binary with Fauna's own driver in front of it, over each transport that the driver has.
'use strict';

const { execFileSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { describe } = require('node:test');
const tls = require('node:tls');
const { Client, FetchClient, fql } = require('fauna');
const { Server: AnyServer, failure, until } = require('../server');

// HTTP/2 by its preface, HTTP/2 over TLS by ALPN, HTTP/1.1.
const TRANSPORTS = ['h2c', 'https', 'fetch'];
// Which only a defect takes.
const EVENT_MS_MAX = 60_000;
const QUERY_MS_MAX = 60_000;

// A certificate for this machine that Node trusts from now on, and its key: two files, which end with the process.
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-certificate-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => join(folder, name));
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
    '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-out', certificate, '-keyout', key], { stdio: 'ignore' });
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(certificate, 'utf8')]);
  return { certificate, key };
}
let made;

class Server extends AnyServer {
  static listens = ['native', 'cosmos', 'kuzzle', 'fauna'];
  clients = [];

  constructor(flags = []) {
    made ??= makeCertificate();
    super([...flags, '--tls-certificate', made.certificate, '--tls-key', made.key]);
    this.certificate = made.certificate;
  }

  endpoint(transport) {
    const url = new URL(this.fauna);
    return transport === 'https' ? new URL(`https://localhost:${url.port}`) : url;
  }

  // Closed with the server.
  client(secret = 'secret', { transport = 'h2c', ...options } = {}) {
    const endpoint = this.endpoint(transport);
    const http = transport === 'fetch' ? new FetchClient({ url: endpoint.toString(), fetch_keepalive: false }) : undefined;
    const client = new Client({ endpoint, secret, query_timeout_ms: QUERY_MS_MAX, ...options }, http);
    this.clients.push(client);
    return client;
  }

  // A child database that no test has had before, and a client of it.
  async freshDatabase(options = {}) {
    const name = Server.freshName('db');
    await this.client().query(fql`Database.create({ name: ${name} })`);
    return { name, client: this.client(`secret:${name}:admin`, options) };
  }

  async end() {
    for (const client of this.clients) client.close();
    this.clients = [];
    await super.end();
  }
}

// Declares a suite for each transport.
function overEachTransport(name, declare) {
  for (const transport of TRANSPORTS) describe(`${name}, over ${transport}`, () => declare(transport));
}

// What a stream has, one after the other. Nothing is awaited between its events: the driver drops what comes while its
// caller is busy.
class Follower {
  #came = [];
  #waiting = [];

  constructor(stream) {
    this.stream = stream;
    stream.start((event) => this.#take({ event }), (error) => this.#take({ error }));
  }

  #take(one) {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(one);
    else this.#came.push(one);
  }

  // The next event, or the failure that has ended the stream. One that does not come is a failure, too.
  async next() {
    const { event, error } = this.#came.shift() ?? await new Promise((done) => {
      const late = setTimeout(() => done({ error: new Error('no event came') }), EVENT_MS_MAX);
      this.#waiting.push((one) => {
        clearTimeout(late);
        done(one);
      });
    });
    if (error) throw error;
    return event;
  }

  async take(count) {
    const events = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  close() {
    this.stream.close();
  }
}

// Follows a stream from the moment at which it is open.
async function follow(stream) {
  const follower = new Follower(stream);
  const first = await follower.next();
  if (first.type !== 'status') throw new Error(`the first event was ${JSON.stringify(first)}`);
  follower.status = first;
  return follower;
}

module.exports = { Server, Follower, failure, follow, fql, overEachTransport, until };
