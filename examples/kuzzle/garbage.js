// The garbage collector, as in Kuzzle's guide: at regular intervals it deletes documents in the trashcan
// for good, the oldest first.
'use strict';

const assert = require('node:assert/strict');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const here = createRequire(join(__dirname, '../../test/conformance/kuzzle/package.json'));
const { Kuzzle, WebSocket } = here('kuzzle-sdk-7');

const address = new URL(process.env.KUZZLE ?? 'http://localhost:7512');
const native = process.env.NATIVE ?? 'http://localhost:7007';

async function pass(seconds) {
  const answer = await fetch(new URL('/v1/clock', native), {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ advance_seconds: seconds }),
  });
  assert.equal(answer.status, 200, 'the server must be started with --clock virtual');
}

async function main() {
  const kuzzle = new Kuzzle(new WebSocket(address.hostname, { port: Number(address.port) }));
  await kuzzle.connect();
  const place = [`myindex-${process.pid}`, 'mycollection'];
  await kuzzle.index.create(place[0]);
  await kuzzle.collection.create(...place, {});

  // How often it runs, and how many documents of each collection it deletes.
  const { result } = await kuzzle.query({ controller: 'server', action: 'getConfig' });
  const { cleanInterval, maxDelete } = result.services.garbageCollector;
  console.log(`every ${cleanInterval / 1000} seconds, ${maxDelete} documents of each collection`);

  // More documents than one pass deletes, and one that stays.
  const ids = Array.from({ length: maxDelete + 50 }, (_, i) => `d${String(i).padStart(5, '0')}`);
  for (let i = 0; i < ids.length; i += 100) {
    const some = ids.slice(i, i + 100);
    await kuzzle.document.mCreate(...place, some.map((_id) => ({ _id, body: { message: 'Hey! Ho!' } })));
    await kuzzle.document.mDelete(...place, some);
    await pass(1);
  }
  await kuzzle.document.create(...place, { message: 'I stay' }, 'alive');
  const counted = async (options) => kuzzle.document.count(...place, {}, options);
  assert.equal(await counted(), 1);
  assert.equal(await counted({ includeTrash: true }), ids.length + 1);

  // After one interval there was one pass: the oldest are gone.
  await pass(cleanInterval / 1000);
  assert.equal(await counted({ includeTrash: true }), 51);
  await assert.rejects(kuzzle.document.get(...place, ids[0], { includeTrash: true }), { status: 404 });
  assert.ok(await kuzzle.document.get(...place, ids.at(-1), { includeTrash: true }));
  console.log('after one pass the 50 that were deleted last are left in the trashcan');

  // After the next interval the others are gone, too.
  await pass(cleanInterval / 1000);
  assert.equal(await counted({ includeTrash: true }), 1);
  assert.ok(await kuzzle.document.exists(...place, 'alive'));
  console.log('after two passes none is left, and the living are as they were');
  kuzzle.disconnect();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
