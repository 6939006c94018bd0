// The real binary with Fauna's own driver in front of it, over HTTP/2.
'use strict';

const { Client, fql } = require('fauna');
const { Server: AnyServer, failure } = require('../server');

class Server extends AnyServer {
  static listens = ['native', 'cosmos', 'kuzzle', 'fauna'];

  // Closed with the server.
  client(secret = 'secret', options = {}) {
    const client = new Client({ endpoint: new URL(this.fauna), secret, ...options });
    this.clients = [...(this.clients ?? []), client];
    return client;
  }

  // A client of a child database that no test has had before.
  async freshDatabase() {
    const name = Server.freshName('db');
    await this.client().query(fql`Database.create({ name: ${name} })`);
    return { name, client: this.client(`secret:${name}:admin`) };
  }

  async end() {
    for (const client of this.clients ?? []) client.close();
    this.clients = [];
    await super.end();
  }
}

module.exports = { Server, failure, fql };
