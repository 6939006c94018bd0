// A NATS server with JetStream on a folder of its own, which can be killed, and the client that reads from it.
'use strict';

const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { AckPolicy, connect } = require('nats');

const STREAM = 'mayfly';

function freePort() {
  return new Promise((found) => {
    const listener = createServer().listen(0, '127.0.0.1', () => {
      const { port } = listener.address();
      listener.close(() => found(port));
    });
  });
}

class Broker {
  // `how`: the client's options, beside the place.
  static async start(flags = [], how = {}) {
    const broker = new Broker();
    broker.folder = mkdtempSync(join(tmpdir(), 'mayfly-nats-'));
    broker.port = await freePort();
    broker.url = `nats://127.0.0.1:${broker.port}`;
    Object.assign(broker, { flags, how });
    broker.launch();
    return broker;
  }

  launch() {
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
    const args = ['-a', '127.0.0.1', '-p', `${this.port}`, '-sd', this.folder, ...this.flags];
    this.process = spawn('nats-server', args, { env, stdio: 'ignore' });
    this.ended = new Promise((ended) => this.process.once('exit', ended));
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  // The client waits until the broker is there.
  async open() {
    const options = { servers: this.url, waitOnFirstConnect: true, reconnectTimeWait: 50, ...this.how };
    const client = await connect(options);
    return client;
  }

  // What `ask` makes of a connection, which is closed behind it.
  async with(ask) {
    const client = await this.open();
    try {
      return await ask(client);
    } finally {
      await client.close();
    }
  }

  // Nothing before the stream is there.
  stream() {
    return this.with(async (client) => {
      try {
        return await (await client.jetstreamManager()).streams.info(STREAM);
      } catch (error) {
        if (/stream not found|no stream/.test(error.message)) return undefined;
        throw error;
      }
    });
  }

  async count() {
    const info = await this.stream();
    return info ? info.state.messages : 0;
  }

  // All that the stream holds: subject, id and payload.
  messages() {
    return this.with(async (client) => {
      const manager = await client.jetstreamManager();
      const { state } = await manager.streams.info(STREAM);
      const { name } = await manager.consumers.add(STREAM, { ack_policy: AckPolicy.None });
      const consumer = await client.jetstream().consumers.get(STREAM, name);
      const all = [];
      while (all.length < state.messages) {
        for await (const message of await consumer.fetch({ max_messages: 1000, expires: 2000 })) {
          all.push({ subject: message.subject, id: message.headers.get('Nats-Msg-Id'), text: message.string() });
          if (all.length === state.messages) break;
        }
      }
      return all;
    });
  }

  async close() {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }
}

module.exports = { Broker, STREAM };
