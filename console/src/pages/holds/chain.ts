// Verifies the chain of the record of purges: each hash fits its record, and each `previous` the record before.
import { fetchAnswer } from '../../api/client';
import type { PurgePage, PurgeRecord } from './purge';
import { hashedPart, recordsIn, type Bytes } from './raw';

export type Fault = 'hash' | 'previous' | 'missing' | 'page';

export interface Verdict {
  records: number;  // that have been read
  first?: number;
  last?: number;
  // Whether the page has computed the hashes; otherwise the server has.
  isComputedHere: boolean;
  fault?: { kind: Fault; number: number };
}

// Pages that are neither https nor localhost have none.
export const hasher = crypto.subtle as SubtleCrypto | undefined;

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function fitsItsHash(raw: Bytes, record: PurgeRecord): Promise<boolean> {
  const hashed = hashedPart(raw);
  if (!hashed || hashed.hash !== record.hash) return false;
  return hexOf(await hasher!.digest('SHA-256', hashed.part)) === hashed.hash;
}

interface RawPage extends PurgePage {
  raw: Bytes[];
}

async function readPage(path: string, after: number, signal: AbortSignal): Promise<RawPage> {
  const response = await fetchAnswer('GET', path, { query: { after }, signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { ...(JSON.parse(new TextDecoder().decode(bytes)) as PurgePage), raw: recordsIn(bytes) };
}

// The first record whose hash does not fit. Without a hasher the server's word is about the whole page.
async function wrongHash(page: RawPage): Promise<Verdict['fault']> {
  if (!hasher) return page.intact ? undefined : { kind: 'page', number: page.records[0]?.number ?? 0 };
  const fit = await Promise.all(page.records.map((record, i) => fitsItsHash(page.raw[i] ?? new Uint8Array(), record)));
  const wrong = page.records[fit.indexOf(false)];
  return wrong && { kind: 'hash', number: wrong.number };
}

// The first record that does not follow the one before it. Older records than the first one may be gone by their age.
function wrongOrder(records: PurgeRecord[], before?: PurgeRecord): Verdict['fault'] {
  let previous = before;
  for (const record of records) {
    if (previous && record.number !== previous.number + 1) return { kind: 'missing', number: record.number };
    const expected = previous ? previous.hash : record.number === 1 ? '' : record.previous;
    if (record.previous !== expected) return { kind: 'previous', number: record.number };
    previous = record;
  }
  return undefined;
}

// Reads all records, from the first one that is kept, until a fault; `onProgress` receives the verdict so far.
export async function verifyChain(
  path: string,
  signal: AbortSignal,
  onProgress: (verdict: Verdict) => void,
): Promise<Verdict> {
  let verdict: Verdict = { records: 0, isComputedHere: hasher !== undefined };
  let before: PurgeRecord | undefined;
  for (;;) {
    const page = await readPage(path, before?.number ?? 0, signal);
    const fault = (await wrongHash(page)) ?? wrongOrder(page.records, before);
    const first = verdict.first ?? page.records[0]?.number;
    before = page.records.at(-1) ?? before;
    verdict = { ...verdict, records: verdict.records + page.records.length, first, last: before?.number, fault };
    onProgress(verdict);
    if (fault || !page.has_more || page.records.length === 0) return verdict;
  }
}
