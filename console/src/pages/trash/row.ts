// A document in the trash, and what can be said of it.
import type { Document, Policy } from '../../api/types';
import { nameOf } from '../../parts/names';

export interface Place {
  database: string;
  collection: string;
}

export interface TrashRow extends Document {
  removed_at: string;
  hold?: { reason: string };
}
export interface TrashPage {
  documents: TrashRow[];
  next: string | null;
}

export function keyOf(row: TrashRow): string {
  return `${nameOf(row)} ${row.removed_at}`;
}

// The documents with one name are erased together, and the last of them is restored: the rows that no other
// row of the page with the same name follows; the oldest removal comes first.
export function lastOfEachName(rows: TrashRow[]): TrashRow[] {
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()];
}

// When it leaves the trash by itself, in milliseconds; Infinity: never.
export function leavesAt(row: TrashRow, { keep_trash_for }: Policy): number {
  if (row.hold) return Infinity;
  const kept = keep_trash_for === 'forever' ? Infinity : Date.parse(row.removed_at) + keep_trash_for * 1_000;
  const own = row.expires_at === null || row.expired ? Infinity : Date.parse(row.expires_at);
  return Math.min(kept, own);
}
