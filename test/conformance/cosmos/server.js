// The real binary with the service's own client in front of it.
'use strict';

const https = require('node:https');
const { test } = require('node:test');
const { CosmosClient } = require('@azure/cosmos');
const { Server: AnyServer, failure } = require('../server');

const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';
const SCHEMES = ['http', 'https'];

class Server extends AnyServer {
  static listens = ['native', 'cosmos'];
  // What the clients speak; tests over each scheme change it.
  scheme = 'http';

  async launch() {
    await super.launch();
    // As the service writes its endpoint, and the examples both.
    for (const name of ['native', 'cosmos']) this[name] += '/';
    this.certificate = await (await fetch(this.cosmos + '_explorer/emulator.pem')).text();
    this.endpoints = { http: this.cosmos, https: this.cosmos.replace('http://127.0.0.1', 'https://localhost') };
    // The client refuses to speak plainly over an agent that is not its own.
    this.agents = { https: new https.Agent({ keepAlive: true, ca: this.certificate }) };
    this.clients = Object.fromEntries(SCHEMES.map((scheme) => [scheme, this.newClient({ key: KEY }, scheme)]));
  }

  async end() {
    for (const client of Object.values(this.clients)) client.dispose();
    this.agents.https.destroy();
    await super.end();
  }

  get endpoint() {
    return this.endpoints[this.scheme];
  }

  get agent() {
    return this.agents[this.scheme];
  }

  get client() {
    return this.clients[this.scheme];
  }

  newClient(options, scheme = this.scheme) {
    return new CosmosClient({ endpoint: this.endpoints[scheme], agent: this.agents[scheme], ...options });
  }

  // Declares a test that runs over each scheme.
  test(name, work) {
    for (const scheme of SCHEMES) {
      test(`${name}, over ${scheme}`, async () => {
        this.scheme = scheme;
        await work();
      });
    }
  }

  async advance(seconds) {
    await this.advanceSeconds(seconds);
  }

  // A container of its own in a database of its own.
  async container(definition = {}, options = undefined) {
    const { database } = await this.client.databases.create({ id: Server.freshName('d') });
    const { container } = await database.containers.create(
      { id: 'c', partitionKey: { paths: ['/pk'] }, ...definition }, options);
    return container;
  }

  // The same container through the client of the scheme of now.
  again(container) {
    return this.client.database(container.database.id).container(container.id);
  }
}

module.exports = { Server, KEY, failure };
