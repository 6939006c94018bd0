// A document under hold, and what can be said of it.
import type { Document } from '../../api/types';
import { nameOf } from '../../parts/names';
import { timeText, ttlText } from '../../parts/time';

export interface Place {
  database: string;
  collection: string;
}

export interface Hold {
  reason: string;
  by: string | null;
  held_at: string;
  // What the release restores.
  lifetime: 'inherit' | 'never' | 'at' | 'after';
  after?: number;
  expires_at?: string;
}

export interface HeldDocument extends Omit<Document, 'removed_at'> {
  removed_at: string | null;  // null: it lives
  hold: Hold;
}
export interface HoldPage {
  documents: HeldDocument[];
  next: string | null;
}

export function keyOf(row: HeldDocument): string {
  return `${nameOf(row)} ${row.removed_at ?? 'living'}`;
}

// The lifetime after the release, for a document that is released at `now`.
export function afterReleaseText(hold: Hold, now: number): string {
  if (hold.lifetime === 'never') return 'never expires';
  if (hold.lifetime === 'inherit') return 'follows the default of the collection';
  if (hold.lifetime === 'after') return `expires after ${ttlText(hold.after ?? null)}, if the collection has a default`;
  const end = Date.parse(hold.expires_at ?? '');
  return end <= now ? 'expires at the release' : `expires at ${timeText(end)}`;
}
