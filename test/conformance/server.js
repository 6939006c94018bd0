// The real binary on free ports under a virtual clock, for the tests of every dialect.
'use strict';

const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { before, after } = require('node:test');
const readline = require('node:readline');

// In the order in which the server tells of them.
const PORTS = ['native', 'cosmos', 'kuzzle', 'fauna'];

// The address of each port that listens is a member of the port's name.
class Server {
  // What listens; the other ports are off.
  static listens = ['native'];
  static number = 0;
  // Of those that listen; any free one, where none is named.
  ports = {};

  constructor(flags = []) {
    this.flags = flags;
    this.data = mkdtempSync(join(tmpdir(), 'mayfly-conformance-'));
  }

  static async start(flags) {
    const server = new this(flags);
    await server.launch();
    return server;
  }

  // Runs from before the first test of a file until after its last.
  static forTests(flags) {
    const server = new this(flags);
    before(() => server.launch());
    after(() => server.stop());
    return server;
  }

  async launch() {
    const { listens } = this.constructor;
    const ports = PORTS.flatMap((name) => [`--${name}-port`, listens.includes(name) ? this.ports[name] ?? '0' : 'off']);
    const args = ['serve', '--data', this.data, '--log-level', 'error', '--clock', 'virtual', ...ports, ...this.flags];
    this.process = spawn(process.env.MAYFLY_BINARY, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = readline.createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    for (const name of PORTS.filter((each) => listens.includes(each))) {
      const { value } = await lines.next();
      if (!value || !value.startsWith(`${name} http`)) throw new Error(`the server said ${value}`);
      this[name] = value.split(' ')[1];
    }
  }

  async end() {
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
  async advanceSeconds(seconds) {
    const { status, body } = await this.fetchNative('POST', 'v1/clock', { advance_seconds: seconds });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }

  // What the native port answers, which is the Centrali dialect's, too.
  async fetchNative(method, path, body) {
    const headers = { authorization: 'Bearer anybody', 'content-type': 'application/json' };
    const answer = await fetch(new URL(path, this.native), { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : undefined };
  }

  // A name that no test has had before.
  static freshName(letter) {
    return `${letter}${++Server.number}`;
  }
}

// What the work throws.
async function failure(work) {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

// Asks until it is so; gives up after a time that only a defect takes.
async function until(isSo, patience = 20_000) {
  const end = Date.now() + patience;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not come');
  }
}

module.exports = { Server, failure, until };
