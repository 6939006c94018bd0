// Attachments and media through the client that knows them.
'use strict';

const assert = require('node:assert/strict');
const { Readable } = require('node:stream');
const { text } = require('node:stream/consumers');
const { DocumentBase } = require('documentdb');
const { OldClient } = require('./old_client');
const { Server, KEY, failure } = require('./server');

const TEXT = 'application/text';

const server = Server.forTests();
const newClient = (auth = { masterKey: KEY }) => new OldClient(server, auth);
let client;
const test = (name, work) => server.test(name, async () => {
  client = newClient();
  await work();
});

// Two chunks, of a length that nobody knows beforehand.
const stream = (...chunks) => Readable.from(chunks.length ? chunks : ['first chunk ', 'second chunk']);

// The ways in which links may be written.
const LINKS = {
  'by name': {
    document: ({ database, collection }, document) => `dbs/${database.id}/colls/${collection.id}/docs/${document.id}`,
    attachment: (place, document, attachment) => `${LINKS['by name'].document(place, document)}/attachments/${attachment.id}`,
  },
  'by rid': {
    document: (place, document) => document._self,
    attachment: (place, document, attachment) => attachment._self,
  },
};

const makePlace = (isPartitioned) =>
  client.makePlace({ defaultTtl: -1, ...(isPartitioned && { partitionKey: { paths: ['/key'], kind: 'Hash' } }) });

async function isNotFound(work) {
  assert.equal((await failure(work)).code, 404);
}

// What the client's own suite asks of attachments: eight times, for each way to write links, to write, and to keep.
for (const [how, links] of Object.entries(LINKS)) {
  for (const upserts of [false, true]) {
    for (const isPartitioned of [false, true]) {
      const title = [how, upserts && 'by upserts', isPartitioned && 'over partitions'].filter(Boolean).join(', ');
      test(`attachments are made, listed, changed and removed, ${title}`, async () => {
        const place = await makePlace(isPartitioned);
        const document = await client.call('createDocument', place.collection._self, { id: 'sample document', key: 'value' });
        const own = links.document(place, document);
        const optionsFor = (of, more) => ({ ...(isPartitioned && { partitionKey: of.key ?? {} }), ...more });
        const options = optionsFor(document);
        const upload = upserts ? 'upsertAttachmentAndUploadMedia' : 'createAttachmentAndUploadMedia';
        const create = upserts ? 'upsertAttachment' : 'createAttachment';
        const list = () => client.all('readAttachments', own, options);
        assert.deepEqual(await list(), []);

        const media = optionsFor(document, { slug: 'attachment name', contentType: TEXT });
        const refused = await failure(client.call(upload, own, stream(), { ...media, contentType: 'junt/test' }));
        assert.equal(refused.code, 400);
        const uploaded = await client.call(upload, own, stream(), media);
        assert.equal(uploaded.id, 'attachment name');
        assert.equal(uploaded.contentType, TEXT);
        const twice = await failure(client.call('createAttachmentAndUploadMedia', own, stream(), media));
        assert.equal(twice.code, 409);

        const book = { id: 'dynamic attachment', media: 'http://xstore.', MediaType: 'Book', Author: 'My Book Author',
          Title: 'My Book Title', contentType: TEXT };
        const linked = await client.call(create, own, book, options);
        assert.equal(linked.MediaType, 'Book');
        assert.equal(linked.Author, 'My Book Author');
        assert.equal((await list()).length, 2);

        linked.Author = 'new author';
        const replaced = upserts
          ? await client.call('upsertAttachment', own, linked, options)
          : await client.call('replaceAttachment', links.attachment(place, document, linked), linked, options);
        assert.equal(replaced.MediaType, 'Book');
        assert.equal(replaced.Author, 'new author');
        const query = { query: 'SELECT VALUE r.Author FROM root r WHERE r.id = @id',
          parameters: [{ name: '@id', value: linked.id }] };
        assert.deepEqual(await client.all('queryAttachments', own, query, options), ['new author']);

        assert.equal(await client.call('readMedia', uploaded.media), 'first chunk second chunk');
        const changed = stream('modified first chunk ', 'modified second chunk');
        if (upserts) await client.call(upload, own, changed, media);
        else await client.call('updateMedia', uploaded.media, changed, media);
        assert.equal(await client.call('readMedia', uploaded.media), 'modified first chunk modified second chunk');
        const { connectionPolicy } = client.plain;
        connectionPolicy.MediaReadMode = DocumentBase.MediaReadMode.Streamed;
        const streamed = await client.call('readMedia', uploaded.media);
        connectionPolicy.MediaReadMode = DocumentBase.MediaReadMode.Buffered;
        assert.equal(streamed.statusCode, 200);
        assert.equal(streamed.headers['content-type'], TEXT);
        assert.equal(await text(streamed), 'modified first chunk modified second chunk');

        const second = await client.call('createDocument', place.collection._self, { id: 'document 2' });
        const ofSecond = optionsFor(second);
        const { id, contentType, media: link } = uploaded;
        const shared = await client.call(create, links.document(place, second), { id, contentType, media: link }, ofSecond);
        assert.deepEqual([shared.id, shared.contentType, shared.media], [id, contentType, link]);
        const path = links.attachment(place, second, shared);
        assert.equal((await client.call('readAttachment', path, ofSecond)).id, id);
        await client.call('deleteAttachment', path, ofSecond);
        await isNotFound(client.call('readAttachment', path, ofSecond));
        assert.equal((await client.call('readAttachment', links.attachment(place, document, uploaded), options)).media, link);
      });
    }
  }
}

test('an attachment and its media are gone with their document, and not those of the next of its name', async () => {
  const { collection } = await makePlace();
  const create = (ttl) => client.call('createDocument', collection._self, { id: '1', ...(ttl && { ttl }) });
  const upload = (document, ...chunks) => client.call('createAttachmentAndUploadMedia', document._self, stream(...chunks),
    { slug: 'photo', contentType: 'image/png' });
  const dying = await create(10);
  const ofDead = await upload(dying, 'of the dead');
  await client.call('replaceDocument', dying._self, { ...dying, changed: true });
  await server.advance(9);
  assert.equal(await client.call('readMedia', ofDead.media), 'of the dead');
  await server.advance(1);
  await isNotFound(client.call('readMedia', ofDead.media));
  await isNotFound(client.call('readAttachment', ofDead._self));
  const removed = await create();
  assert.deepEqual(await client.all('readAttachments', removed._self), []);
  const ofRemoved = await upload(removed, 'of the removed');
  await client.call('deleteDocument', removed._self);
  await isNotFound(client.call('readMedia', ofRemoved.media));
  const living = await create();
  const ofLiving = await upload(living, 'of the living');
  await isNotFound(client.call('readMedia', ofDead.media));
  await isNotFound(client.call('readMedia', ofRemoved.media));
  await server.restart();
  // It listens elsewhere now.
  client = newClient();
  assert.equal(await client.call('readMedia', ofLiving.media), 'of the living');
});

test('where attachments and users lie is nothing that other dialects show', async () => {
  const { database, collection } = await makePlace();
  const document = await client.call('createDocument', collection._self, { id: '1' });
  await client.call('createAttachmentAndUploadMedia', document._self, stream('bytes'), { slug: 'photo' });
  await client.call('createUser', database._self, { id: 'user' });
  const place = `v1/databases/${database.id}`;
  const native = await server.fetchNative('GET', `${place}/collections`);
  assert.deepEqual(native.body.collections.map(({ name }) => name), [collection.id]);
  assert.equal((await server.fetchNative('GET', place)).body.collections, 1);
  assert.equal((await server.fetchNative('DELETE', `${place}/collections/%23resources`)).status, 404);
  const centrali = await server.fetchNative('GET', `data/workspace/${database.id}/api/v1/structures`);
  assert.deepEqual(centrali.body.data.map(({ name }) => name), [collection.id]);
});

test('bytes of any kind come back as they were, in as many pieces as they came', async () => {
  const { collection } = await makePlace();
  const document = await client.call('createDocument', collection._self, { id: '1' });
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) >> 5 & 0xff));
  const chunks = Array.from({ length: 30 }, (_, i) => bytes.subarray(i * 100_000, (i + 1) * 100_000));
  const made = await client.call('createAttachmentAndUploadMedia', document._self, stream(...chunks), { slug: 'photo' });
  assert.equal(made.contentType, 'application/octet-stream');
  const read = async () => {
    const { connectionPolicy } = client.plain;
    connectionPolicy.MediaReadMode = DocumentBase.MediaReadMode.Streamed;
    const answer = await client.call('readMedia', made.media);
    connectionPolicy.MediaReadMode = DocumentBase.MediaReadMode.Buffered;
    const parts = [];
    for await (const part of answer) parts.push(part);
    return Buffer.concat(parts);
  };
  assert.ok(bytes.equals(await read()));
  await client.call('updateMedia', made.media, bytes.subarray(0, 10), { contentType: 'image/png' });
  assert.ok(bytes.subarray(0, 10).equals(await read()));
  assert.equal((await client.call('readAttachment', made._self)).contentType, 'image/png');
});

test('attachments are read in pages, and changed under conditions', async () => {
  const { collection } = await makePlace();
  const document = await client.call('createDocument', collection._self, { id: '1' });
  const make = (id) => client.call('createAttachment', document._self, { id, contentType: TEXT, media: 'http://store/1' });
  const first = await make('0');
  for (const id of ['1', '2', '3', '4']) await make(id);
  const pages = await client.pages('readAttachments', document._self, { maxItemCount: 2 });
  assert.deepEqual(pages, ['01', '23', '4']);
  const onFirst = { accessCondition: { type: 'IfMatch', condition: first._etag } };
  await client.call('replaceAttachment', first._self, { ...first, n: 1 }, onFirst);
  const late = await failure(client.call('replaceAttachment', first._self, { ...first, n: 2 }, onFirst));
  assert.equal(late.code, 412);
  assert.equal((await failure(client.call('deleteAttachment', first._self, onFirst))).code, 412);
});

test('who may read a document may read its attachments and their media, and no others', async () => {
  const { database, collection } = await makePlace();
  const [mine, other] = await Promise.all(['1', '2'].map(async (id) => {
    const document = await client.call('createDocument', collection._self, { id });
    const attachment = await client.call('createAttachmentAndUploadMedia', document._self, stream(),
      { slug: 'photo', contentType: TEXT });
    return { document, attachment };
  }));
  const user = await client.call('createUser', database._self, { id: 'u' });
  const permission = await client.call('createPermission', user._self,
    { id: 'p', permissionMode: 'Read', resource: mine.document._self });
  // Media is asked for by the rid of its attachment, in small letters.
  const tokens = [mine, other].flatMap(({ document, attachment }) =>
    [document._rid, attachment._rid, attachment._rid.toLowerCase()]);
  const reader = newClient({ resourceTokens: Object.fromEntries(tokens.map((id) => [id, permission._token])) });
  assert.equal((await reader.all('readAttachments', mine.document._self)).length, 1);
  assert.equal(await reader.call('readMedia', mine.attachment.media), 'first chunk second chunk');
  const refused = await Promise.all([
    reader.call('updateMedia', mine.attachment.media, stream(), {}),
    reader.call('readMedia', other.attachment.media),
    reader.all('readAttachments', other.document._self),
    reader.call('deleteAttachment', mine.attachment._self),
  ].map(failure));
  assert.deepEqual(refused.map(({ code }) => code), [403, 403, 403, 403]);
});

test('the account tells how much media it has', async () => {
  const used = async () => {
    const account = await client.call('getDatabaseAccount');
    assert.equal(account.MaxMediaStorageUsageInMB, '2048');
    return Number(account.CurrentMediaStorageUsageInMB);
  };
  const { collection } = await makePlace();
  const document = await client.call('createDocument', collection._self, { id: '1' });
  const earlier = await used();
  const bytes = Buffer.alloc(3 << 20);
  await client.call('createAttachmentAndUploadMedia', document._self, bytes, { slug: 'large', contentType: TEXT });
  assert.equal(await used(), earlier + 3);
  await client.call('deleteDocument', document._self);
  assert.equal(await used(), earlier);
});
