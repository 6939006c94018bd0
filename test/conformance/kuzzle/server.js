// The real binary with Kuzzle's own clients in front of it.
'use strict';

const Kuzzle5 = require('kuzzle-sdk-5');
const sdk6 = require('kuzzle-sdk-6');
const sdk7 = require('kuzzle-sdk-7');
const { before, describe, test } = require('node:test');
const { Server: AnyServer, failure, until } = require('../server');

class Server extends AnyServer {
  static listens = ['native', 'kuzzle'];

  async launch() {
    await super.launch();
    this.port = Number(new URL(this.kuzzle).port);
    this.clients = [];
  }

  async end() {
    for (const client of this.clients) client.disconnect();
    await super.end();
  }

  // By milliseconds, in which Kuzzle counts.
  async advance(millis) {
    await this.advanceSeconds(millis / 1000);
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
    const index = Server.freshName('i');
    await client.index.create(index);
    await client.collection.create(index, 'c', {});
    return [index, 'c'];
  }
}

// A function of v5 as a promise.
function ask(object, name, ...args) {
  return new Promise((done, failed) => {
    object[name](...args, (error, result) => { error ? failed(error) : done(result); });
  });
}

const GENERATIONS = { v6: 'the client of Kuzzle 1.4 to 1.12', v7: 'the client of Kuzzle 2' };

// The tests of one generation's client, over each protocol with a client and a collection of its own: {name: work}.
function testEachProtocol(server, generation, tests) {
  for (const protocol of ['WebSocket', 'Http']) {
    describe(`${GENERATIONS[generation]} over ${protocol}`, () => {
      let client;
      let place;
      before(async () => {
        client = await server[generation](protocol);
        place = await server.collection(client);
      });
      for (const [name, work] of Object.entries(tests)) test(name, () => work(client, place));
    });
  }
}

module.exports = { Server, failure, until, ask, testEachProtocol };
