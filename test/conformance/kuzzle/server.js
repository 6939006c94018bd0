// The real binary on free ports under a virtual clock, and Kuzzle's own clients in front of it.
'use strict';

const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const readline = require('node:readline');
const Kuzzle5 = require('kuzzle-sdk-5');
const sdk6 = require('kuzzle-sdk-6');
const sdk7 = require('kuzzle-sdk-7');

class Server {
  static async start(flags = []) {
    const server = new Server();
    server.flags = flags;
    server.data = mkdtempSync(join(tmpdir(), 'mayfly-kuzzle-'));
    await server.launch();
    return server;
  }

  async launch() {
    const args = ['serve', '--data', this.data, '--native-port', '0', '--cosmos-port', 'off', '--kuzzle-port', '0',
      '--log-level', 'error', '--clock', 'virtual', ...this.flags];
    this.process = spawn(process.env.MAYFLY_BINARY, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = readline.createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    for (const name of ['native', 'kuzzle']) {
      const { value } = await lines.next();
      if (!value || !value.startsWith(`${name} http`)) throw new Error(`the server said ${value}`);
      this[name] = value.split(' ')[1];
    }
    this.port = Number(new URL(this.kuzzle).port);
    this.clients = [];
  }

  async end() {
    for (const client of this.clients) client.disconnect();
    this.process.kill('SIGTERM');
    await new Promise((done) => this.process.once('exit', done));
  }

  async stop() {
    await this.end();
    rmSync(this.data, { recursive: true });
  }

  async restart() {
    await this.end();
    await this.launch();
  }

  // Moves the clock; nothing waits.
  async advance(millis) {
    const answer = await fetch(`${this.native}/v1/clock`,
      { method: 'POST', body: JSON.stringify({ advance_seconds: millis / 1000 }) });
    if (!answer.ok) throw new Error(await answer.text());
  }

  // A client of the first generation speaks by callbacks.
  v5(options = {}) {
    return new Promise((done, failed) => {
      const client = new Kuzzle5('127.0.0.1', { port: this.port, autoReconnect: false, ...options }, (error) => {
        error ? failed(error) : done(client);
      });
      this.clients.push(client);
    });
  }

  async v6(protocol = 'WebSocket') {
    const client = new sdk6.Kuzzle(new sdk6[protocol]('127.0.0.1', { port: this.port, autoReconnect: false }));
    await client.connect();
    this.clients.push(client);
    return client;
  }

  async v7(protocol = 'WebSocket') {
    const client = new sdk7.Kuzzle(new sdk7[protocol]('127.0.0.1', { port: this.port, autoReconnect: false }));
    await client.connect();
    this.clients.push(client);
    return client;
  }

  // A collection of its own: [index, collection].
  async collection(client) {
    const index = `i${++Server.number}`;
    await client.index.create(index);
    await client.collection.create(index, 'c', {});
    return [index, 'c'];
  }
}
Server.number = 0;

// What the client throws.
async function failure(work) {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

// A function of v5 as a promise.
function ask(object, name, ...args) {
  return new Promise((done, failed) => {
    object[name](...args, (error, result) => { error ? failed(error) : done(result); });
  });
}

module.exports = { Server, failure, ask };
