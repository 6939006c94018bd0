// Spans, numbers and policies in words.
import type { Collection, Estimate, Retention } from '../../api/types';
import { unitOf } from '../../parts/ttl_field';

export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

// `1 hour`, `90 seconds`
export function secondsText(seconds: number): string {
  const [name, size] = unitOf(seconds);
  const count = seconds / size;
  return `${countText(count)} ${count === 1 ? name.slice(0, -1) : name}`;
}

// `12,400 documents`
export function documentsText({ documents, exact }: Estimate): string {
  return `${exact ? '' : 'about '}${countText(documents)} ${documents === 1 ? 'document' : 'documents'}`;
}

// `12,400 documents expire`
export function expireText(estimate: Estimate): string {
  if (estimate.documents === 0) return estimate.exact ? 'no document expires' : 'probably no document expires';
  return `${documentsText(estimate)} ${estimate.documents === 1 ? 'expires' : 'expire'}`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

// In one line, also in a narrow column.
export function keptText(retention: Retention): string {
  if (retention === 0) return 'no';
  return retention === 'forever' ? 'forever' : secondsText(retention).replace(' ', '\u00a0');
}

// What a document without a lifetime of its own gets.
export function ttlWords({ default_ttl, stamp_ttl }: Collection): string {
  const parts: string[] = [];
  if (typeof default_ttl === 'number') parts.push(`${secondsText(default_ttl)} after the last write`);
  if (stamp_ttl) {
    const start = stamp_ttl.when === 'creation' ? 'the creation' : 'each write';
    parts.push(`${secondsText(stamp_ttl.seconds)} after ${start}, as a fixed end`);
  }
  return parts.join('; ') || (default_ttl === 'never' ? 'never' : 'none');
}
