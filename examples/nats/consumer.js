// Reads the expirations of records from JetStream and handles each one: here it only prints it. A consumer has a durable
// name, so a program that was stopped continues where it was; an expiration that it has not acknowledged comes again.
'use strict';

const { createRequire } = require('node:module');
const { join } = require('node:path');

const here = createRequire(join(__dirname, '../../test/conformance/nats/package.json'));
const { AckPolicy, connect } = here('nats');

const native = process.env.NATIVE ?? 'http://localhost:7007/';
const broker = process.env.NATS ?? 'nats://localhost:4222';
const STREAM = 'mayfly';
const RECORDS = 3;
const DAY = 86_400;

async function ask(method, path, body) {
  const answer = await fetch(new URL(path, native), {
    method,
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}

// Session tokens that live for a day, and the day after it.
async function letSomeDie() {
  await ask('PUT', 'v1/databases/acme');
  const at = 'data/workspace/acme/api/v1';
  const { id: structureId } = await ask('POST', `${at}/structures`, { name: `Sessions ${Date.now()}`, defaultTtlSeconds: DAY });
  for (let n = 0; n < RECORDS; n += 1) await ask('POST', `${at}/records`, { structureId, data: { userId: `user-${n}` } });
  await ask('POST', 'v1/clock', { advance_seconds: DAY });
}

async function main() {
  const client = await connect({ servers: broker });
  await letSomeDie();
  const manager = await client.jetstreamManager();
  await manager.consumers.add(STREAM, {
    durable_name: 'after-sessions',
    ack_policy: AckPolicy.Explicit,
    filter_subject: 'centrali.*.records.expired',
  });
  const consumer = await client.jetstream().consumers.get(STREAM, 'after-sessions');
  let handled = 0;
  for await (const message of await consumer.consume()) {
    const { event, timestamp, workspace, data } = JSON.parse(message.string());
    console.log(`${event} ${workspace} ${timestamp} ${data.record.structureId ? 'with its structure' : ''}`);
    message.ack();
    handled += 1;
    if (handled === RECORDS) break;
  }
  await client.drain();
  console.log('each death has been handled');
}

main();
