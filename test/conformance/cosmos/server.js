// The real binary on free ports under a virtual clock, and the service's own client in front of it.
'use strict';

const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const readline = require('node:readline');
const { CosmosClient } = require('@azure/cosmos');

const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

class Server {
  static async start(flags = []) {
    const server = new Server();
    server.data = mkdtempSync(join(tmpdir(), 'mayfly-cosmos-'));
    await server.launch(flags);
    return server;
  }

  async launch(flags = []) {
    const args = ['serve', '--data', this.data, '--native-port', '0', '--cosmos-port', '0',
      '--kuzzle-port', 'off', '--log-level', 'warn', '--clock', 'virtual', ...flags];
    this.process = spawn(process.env.MAYFLY_BINARY, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = readline.createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    for (const name of ['native', 'cosmos']) {
      const { value } = await lines.next();
      if (!value || !value.startsWith(`${name} http`)) throw new Error(`the server said ${value}`);
      this[name] = value.split(' ')[1] + '/';
    }
    this.client = new CosmosClient({ endpoint: this.cosmos, key: KEY });
  }

  async end() {
    this.client.dispose();
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
  async advance(seconds) {
    await this.fetchNative('POST', 'v1/clock', { advance_seconds: seconds });
  }

  async fetchNative(method, path, body) {
    const headers = { authorization: 'Bearer anybody' };
    const answer = await fetch(this.native + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : undefined };
  }

  // A container of its own in a database of its own.
  async container(definition = {}, options = undefined) {
    const id = `d${++Server.number}`;
    const { database } = await this.client.databases.create({ id });
    const { container } = await database.containers.create(
      { id: 'c', partitionKey: { paths: ['/pk'] }, ...definition }, options);
    return container;
  }
}
Server.number = 0;

// The code that the client throws, or nothing.
async function failure(work) {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

module.exports = { Server, KEY, failure };
