// The calls of this page. Bodies and answers with documents stay text, so that no number loses digits.
import {
  ApiError, call, errorOf, fetchAnswer, get, headersWithKey, needsKey, pathOf, urlOf, type CallOptions,
} from '../../api/client';
import { keep, lifetimeQuery, type Lifetime } from '../../parts/lifetime_field';
import type { Place } from './place';
import { childrenOf, indented, memberOf, parseExactly } from '../../api/exact';
import type { Key, OpenDocument, Row } from './types';

const page_rows = 100;

export interface Page {
  documents: Row[];
  next: string | null;
}

export async function loadPage(place: Place, page: string | undefined, signal: AbortSignal): Promise<Page> {
  const { database, collection, filter, sort, asOf } = place;
  const query = { filter, sort, as_of: asOf, page, limit: page_rows, lifetime: true };
  const answer = await fetchAnswer('GET', pathOf(database, collection, 'documents'), { query, signal });
  return parseExactly<Page>(await answer.text());
}

export async function loadCount({ database, collection, filter, asOf }: Place, signal: AbortSignal): Promise<number> {
  const query = { filter, as_of: asOf };
  return (await get<{ count: number }>(pathOf(database, collection, 'count'), { query, signal })).count;
}

// From a document as the API answers it.
function openDocumentOf(answer: string): OpenDocument {
  return { facts: parseExactly<Row>(answer), text: indented(memberOf(answer, 'data') ?? '{}') };
}

function pathOfKey(key: Key, ...rest: string[]): string {
  return pathOf(key.database, key.collection, 'documents', key.id, ...rest);
}

let last: { answer: string; document: OpenDocument } | undefined;

// The same object as before, if the answer is the same: a page reads it again and again.
export async function loadDocument(key: Key, asOf: string | undefined, signal: AbortSignal): Promise<OpenDocument> {
  const query = { partition: key.partition, as_of: asOf };
  const answer = await (await fetchAnswer('GET', pathOfKey(key), { query, signal })).text();
  if (last?.answer !== answer) last = { answer, document: openDocumentOf(answer) };
  return last.document;
}

// The kept versions, newest first.
export async function loadHistory(key: Key, signal: AbortSignal): Promise<OpenDocument[]> {
  const query = { partition: key.partition };
  const answer = await (await fetchAnswer('GET', pathOfKey(key, 'history'), { query, signal })).text();
  return childrenOf(memberOf(answer, 'versions') ?? '[]').map((version) => openDocumentOf(version.text));
}

// As fetchAnswer(), with a body that is JSON already.
async function sendText(method: string, path: string, text: string, options: CallOptions): Promise<Response> {
  const headers = headersWithKey({ ...options.headers, 'Content-Type': 'application/json' });
  let response: Response;
  try {
    response = await fetch(urlOf(path, options.query), { method, headers, body: text, cache: 'no-store' });
  } catch {
    throw new ApiError(0, 'unreachable', 'The server does not answer. Is it running?');
  }
  if (response.ok) return response;
  if (response.status === 401) needsKey.value = true;
  throw await errorOf(response);
}

export interface Saved {
  document: OpenDocument;
  hint?: string;  // of the server
}

async function savedOf(response: Response): Promise<Saved> {
  const hint = response.headers.get('x-mayfly-hint') ?? undefined;
  return { document: openDocumentOf(await response.text()), hint };
}

// Fails with `stale` if the document is not at the version `etag`.
export async function saveDocument(key: Key, text: string, etag: string, lifetime: Lifetime): Promise<Saved> {
  const query = { partition: key.partition, ...lifetimeQuery(lifetime) };
  return savedOf(await sendText('PUT', pathOfKey(key), text, { query, headers: { 'If-Match': etag } }));
}

// Without an id the server makes one.
export async function createDocument(place: Place, id: string, text: string, lifetime: Lifetime): Promise<Saved> {
  const path = pathOf(place.database, place.collection, 'documents');
  return savedOf(await sendText('POST', path, text, { query: { id: id || undefined, ...lifetimeQuery(lifetime) } }));
}

export async function touchDocument(key: Key, lifetime: Lifetime = keep): Promise<void> {
  const query = { partition: key.partition, ...lifetimeQuery(lifetime) };
  await fetchAnswer('POST', pathOfKey(key, 'touch'), { query });
}

// Fails with `stale` if the document is not at the version `etag`.
export async function removeDocument(key: Key, etag: string, isFinal: boolean): Promise<void> {
  const query = { partition: key.partition, final: isFinal || undefined };
  await call('DELETE', pathOfKey(key), { query, headers: { 'If-Match': etag } });
}

function pathOfHold(key: Key): string {
  return pathOf(key.database, key.collection, 'holds', key.id);
}

export async function holdDocument(key: Key, reason: string): Promise<void> {
  await call('PUT', pathOfHold(key), { query: { partition: key.partition }, body: { reason } });
}

// Releases the document and what was removed under its id.
export async function releaseDocument(key: Key): Promise<void> {
  await call('DELETE', pathOfHold(key), { query: { partition: key.partition } });
}
