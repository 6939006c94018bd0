// What this page knows of a document.
import type { Document } from '../../api/types';

export type LifetimeKind = 'at' | 'never' | 'after' | 'inherit';

export interface Hold {
  reason: string;
  by: string | null;
  held_at: string;
  lifetime: LifetimeKind;
  expires_at?: string;
  after?: number;
}

// A document, with the lifetime behind its expiration where a list shows it.
export interface Row extends Document {
  hold?: Hold;
  lifetime?: LifetimeKind;
  after?: number;
}

export interface OpenDocument {
  facts: Row;
  text: string;  // its `data`, indented
}

// Which document: `partition` is the JSON of its partition, where the collection has some.
export interface Key {
  database: string;
  collection: string;
  id: string;
  partition?: string;
}
