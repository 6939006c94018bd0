// The client of old over either scheme, with promises in place of callbacks.
'use strict';

const http = require('node:http');
const https = require('node:https');
const { promisify } = require('node:util');
const { DocumentClient } = require('documentdb');
const { Server } = require('./server');

// It asks for TLS 1.0, which neither side has any more, and takes a plain endpoint for one that speaks TLS.
const { request } = https;
https.request = ({ secureProtocol, ...options }, ...rest) =>
  (options.protocol === 'http:' ? http.request : request)(options, ...rest);

class OldClient {
  constructor(server, auth) {
    this.plain = new DocumentClient(server.endpoint, auth);
    this.plain.requestAgent = server.agent ?? http.globalAgent;
  }

  call(name, ...rest) {
    return promisify(this.plain[name].bind(this.plain))(...rest);
  }

  all(name, ...rest) {
    const iterator = this.plain[name](...rest);
    return promisify(iterator.toArray.bind(iterator))();
  }

  // The ids on each page.
  async pages(name, ...rest) {
    const iterator = this.plain[name](...rest);
    const pages = [];
    while (iterator.hasMoreResults()) {
      const page = await promisify(iterator.executeNext.bind(iterator))();
      if (page) pages.push(page.map(({ id }) => id).join(''));
    }
    return pages;
  }

  // A collection of its own in a database of its own.
  async makePlace(definition) {
    const database = await this.call('createDatabase', { id: Server.freshName('old') });
    return { database, collection: await this.call('createCollection', database._self, { id: 'c', ...definition }) };
  }
}

module.exports = { OldClient };
