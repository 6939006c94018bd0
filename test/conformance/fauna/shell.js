// Fauna's own command line client, run as a program of its own with a home of its own.
'use strict';

const { spawn } = require('node:child_process');
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { after } = require('node:test');

const PROGRAM = require.resolve('fauna-shell/dist/cli.cjs');

// Takes away the control sequences of terminals.
const plain = (text) => text.replace(/\x1b\[[0-9;?]*[a-zA-Z]/g, '').replaceAll('\r', '');

class Shell {
  // In a folder of its own, which ends with the file's last test.
  constructor(server) {
    this.server = server;
    this.home = mkdtempSync(join(tmpdir(), 'mayfly-fauna-shell-'));
    after(() => rmSync(this.home, { recursive: true }));
    this.secret = 'secret';
  }

  // Writes files below the folder; a name may have folders in it.
  write(folder, files) {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.home, folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  // Runs a command line. `input` is what it reads.
  async run(words, { input = '', secret = this.secret, url = this.server.endpoint('h2c').toString(), env = {} } = {}) {
    const where = secret === null ? [] : ['--url', url, '--secret', secret];
    const child = spawn(process.execPath, [PROGRAM, ...words, ...where], { cwd: this.home,
      env: { PATH: process.env.PATH, HOME: this.home, NO_UPDATE_NOTIFIER: '1', ...env } });
    const said = { stdout: '', stderr: '' };
    for (const name of Object.keys(said)) child[name].setEncoding('utf8').on('data', (piece) => { said[name] += piece; });
    child.stdin.on('error', () => {});  // it may end before it has read all
    child.stdin.end(input);
    const code = await new Promise((done) => { child.once('close', done); });
    return { code, out: plain(said.stdout), err: plain(said.stderr) };
  }

  // What a command prints; it must succeed.
  async ok(words, options) {
    const { code, out, err } = await this.run(words, options);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${code}\n${out}${err}`);
    return out;
  }

  // What a command says of its failure; it must fail.
  async refused(words, options) {
    const { code, out, err } = await this.run(words, options);
    if (code !== 1) throw new Error(`${words.join(' ')}: ${code}\n${out}${err}`);
    return err;
  }
}

module.exports = { Shell };
