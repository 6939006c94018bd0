// The real binary with the service's own client in front of it.
'use strict';

const { CosmosClient } = require('@azure/cosmos');
const { Server: AnyServer, failure } = require('../server');

const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

class Server extends AnyServer {
  static listens = ['native', 'cosmos'];

  async launch() {
    await super.launch();
    // As the service writes its endpoint, and the examples both.
    for (const name of ['native', 'cosmos']) this[name] += '/';
    this.client = new CosmosClient({ endpoint: this.cosmos, key: KEY });
  }

  async end() {
    this.client.dispose();
    await super.end();
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
}

module.exports = { Server, KEY, failure };
