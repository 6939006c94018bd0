// Every death is in JetStream once, whatever becomes of the broker and the server.
'use strict';

const assert = require('node:assert/strict');
const { after, test } = require('node:test');
const { Broker, STREAM } = require('./broker');
const { APP, DAY, NatsServer, until } = require('./server');

const made = [];
after(() => Promise.all(made.map((one) => (one instanceof Broker ? one.close() : one.stop()))));

async function both(...flags) {
  const broker = await Broker.start(['-js']);
  const server = await NatsServer.start(['--nats-url', broker.url, ...flags]);
  made.push(broker, server);
  return { broker, server };
}

test('10,000 deaths arrive once, though the broker and the server are killed', async () => {
  const { broker, server } = await both();
  await server.begin();
  // A broker that goes away costs no attempt.
  await server.subscribe({ kinds: ['expired'], attempts_max: 1 });
  const ids = Array.from({ length: 10_000 }, (_, n) => `s${n}`);
  await server.write(ids, 60 * DAY);
  // Centrali's own messages, of their creation: the feed does not keep them for sixty days.
  const written = ids.length;
  await until(async () => await broker.count() === written, 60_000);
  await server.advanceSeconds(60 * DAY);
  await until(async () => await broker.count() > written + 1_000);
  await broker.kill();
  await server.kill();
  broker.launch();
  await server.launch();
  await until(async () => await broker.count() > written + 3_000);
  await server.kill();
  await server.launch();
  await broker.kill();
  broker.launch();
  // Of each record its creation and its death for Centrali, and its death for the subscription.
  await until(async () => await broker.count() >= 30_000, 120_000);
  const messages = await broker.messages();
  const deaths = messages.filter((each) => each.subject === 'mayfly.app.sessions.expired');
  assert.deepEqual(deaths.map((each) => JSON.parse(each.text).event.id).sort(), [...ids].sort());
  assert.equal(new Set(messages.map((each) => each.subject + each.id)).size, 30_000);
  assert.equal(messages.length, 30_000);
});

test('events of records are published as the page on record TTL has them', async () => {
  const { broker, server } = await both();
  const at = 'data/workspace/acme/api/v1';
  await server.must('PUT', 'v1/databases/acme');
  const structure = await server.must('POST', `${at}/structures`, { name: 'Sessions', defaultTtlSeconds: DAY });
  const record = await server.must('POST', `${at}/records`, { structureId: structure.id, data: { token: 'abc' } });
  await server.must('PATCH', `${at}/records/${record.id}`, { data: { token: 'def' } });
  await until(async () => await broker.count() === 2);
  await server.advanceSeconds(DAY);
  await until(async () => await broker.count() >= 3);
  const messages = await broker.messages();
  assert.deepEqual(messages.map((each) => each.subject),
    ['created', 'updated', 'expired'].map((event) => `centrali.acme.records.${event}`));
  const died = JSON.stringify(record.expiresAt).replaceAll('.000', '');
  assert.equal(messages[2].text, `{"event":"record.expired","timestamp":${died},"workspace":"acme",`
    + `"data":{"record":{"id":"${record.id}","structureId":"${structure.id}"}}}`);
});

test('a broker that is away delays messages, and is shown', async () => {
  const { broker, server } = await both();
  await broker.kill();
  await server.begin();
  const { id } = await server.subscribe({ target: { nats: { subject: 'mayfly.gone.{collection}' } }, kinds: ['expired'] });
  await server.write(['a', 'b'], 60);
  await server.advanceSeconds(3600);
  await until(async () => /nats: /.test(await server.warnings()));
  await until(async () => await server.metric('mayfly_target_connected{target="nats"}') === '0');
  await until(async () => await server.metric(`mayfly_subscription_waiting{subscription="${id}"}`) === '2');
  assert.ok((await server.must('GET', `${APP}/subscriptions/${id}`)).state.last_error);
  broker.launch();
  await until(async () => (await broker.count()) === 6);
  assert.equal(await server.warnings(), '');
  const subjects = (await broker.messages()).map((each) => each.subject);
  assert.equal(subjects.filter((each) => each === 'mayfly.gone.sessions').length, 2);
});

test('a stream that is there keeps what it has', async () => {
  const broker = await Broker.start(['-js']);
  made.push(broker);
  await broker.with(async (client) => (await client.jetstreamManager()).streams.add(
    { name: 'mayfly', subjects: ['orders.*'], max_msgs: 5 }));
  const server = await NatsServer.start(['--nats-url', broker.url]);
  made.push(server);
  await until(async () => (await broker.stream()).config.subjects.length === 3);
  const { config } = await broker.stream();
  assert.deepEqual([...config.subjects].sort(), ['centrali.*.records.*', 'mayfly.>', 'orders.*']);
  assert.equal(config.max_msgs, 5);
});

test('without JetStream a message goes to those that listen', async () => {
  const broker = await Broker.start();
  const client = await broker.open();
  const heard = client.subscribe('mayfly.>', { max: 1 });
  await client.flush();
  const server = await NatsServer.start(['--nats-url', broker.url, '--nats-jetstream', 'off']);
  made.push(broker, server);
  await server.begin();
  await server.subscribe({ kinds: ['created'] });
  await until(async () => await server.warnings() === '');
  await server.write(['a'], 60);
  for await (const message of heard) assert.equal(message.subject, 'mayfly.app.sessions.created');
  await client.close();
});

test('subjects of subscriptions begin as the setting does', async () => {
  const { server } = await both();
  await server.begin();
  for (const subject of ['orders.{event}', '$JS.API.STREAM.DELETE.mayfly', 'mayfly', 'mayfly.>', 'mayfly.{id}', 'mayfly..a',
    '{database}.x', 'centrali.app.records.expired', 'mayfly. x', '']) {
    const answer = await server.fetchNative('POST', `${APP}/subscriptions`, { target: { nats: { subject } } });
    assert.equal(answer.status, 400, subject);
  }
});

test('a stream that is removed is made again', async () => {
  const { broker, server } = await both();
  await server.begin();
  await server.subscribe({ attempts_max: 1 });
  await server.write(['a'], 60);
  await until(async () => await broker.count() === 2);
  await broker.with(async (client) => (await client.jetstreamManager()).streams.delete(STREAM));
  await server.write(['b', 'c'], 60);
  await until(async () => await broker.count() === 4);
  await until(async () => await server.warnings() === '');
});

test('a database that is dropped, and subjects that no broker takes, hold up no other', async () => {
  const { broker, server } = await both();
  await server.begin();
  await server.subscribe({ kinds: ['created'] });
  const long = `c${'%'.repeat(100)}`;
  await server.must('PUT', `${APP}/collections/${encodeURIComponent(long)}`);
  await server.subscribe({ target: { nats: { subject: `mayfly${'.{collection}'.repeat(40)}` } } });
  for (let n = 0; n < 10; ++n) {
    await server.must('PUT', `v1/databases/gone${n}`);
    await server.must('PUT', `v1/databases/gone${n}/collections/c`);
    for (let d = 0; d < 20; ++d) await server.must('PUT', `v1/databases/gone${n}/collections/c/documents/d${d}`, {});
    await server.must('DELETE', `v1/databases/gone${n}`);
    await server.must('PUT', `${APP}/collections/${encodeURIComponent(long)}/documents/x${n}`, {});
    await server.write([`a${n}`], 60);
  }
  const mine = async () => (await broker.messages()).filter((each) => each.subject === 'mayfly.app.sessions.created');
  await until(async () => await broker.count() > 0 && (await mine()).length === 10);
  const { subscriptions } = await server.must('GET', `${APP}/subscriptions`);
  assert.ok(subscriptions.some((each) => /its subject has more than/.test(each.state.last_error)));
  await until(async () => await server.warnings() === '');
});
