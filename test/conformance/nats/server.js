// The server with a broker, and what the tests write.
'use strict';

const assert = require('node:assert/strict');
const { Server, until } = require('../server');

const DAY = 86_400;
const APP = 'v1/databases/app';

class NatsServer extends Server {
  async must(method, path, body) {
    const answer = await this.fetchNative(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async begin() {
    await this.must('PUT', APP);
    await this.must('PUT', `${APP}/collections/sessions`);
  }

  subscribe(more = {}) {
    return this.must('POST', `${APP}/subscriptions`, { target: { nats: {} }, ...more });
  }

  async write(ids, ttl) {
    for (let start = 0; start < ids.length; start += 500) {
      const operations = ids.slice(start, start + 500)
        .map((id) => ({ op: 'put', collection: 'sessions', id, data: { user: id }, ttl }));
      await this.must('POST', `${APP}/transactions`, { operations });
    }
  }

  // Ends without a word to the store.
  async kill() {
    this.process.kill('SIGKILL');
    await new Promise((done) => this.process.once('exit', done));
  }

  async warnings() {
    const { status, body } = await this.fetchNative('GET', 'ready');
    assert.equal(status, 200);
    return (body.warnings ?? []).join('\n');
  }

  async metric(line) {
    const text = await (await fetch(new URL('metrics', this.native))).text();
    return text.split('\n').find((each) => each.startsWith(line))?.split(' ')[1];
  }
}

module.exports = { APP, DAY, NatsServer, until };
