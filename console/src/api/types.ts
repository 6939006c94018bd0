// The entities of the native API that the console shows; docs/dialects/native.md explains them.

export type Ttl = number | 'never' | null;
export type Retention = number | 'forever';

export interface IndexField {
  path?: string;
  expression?: string;
  order?: 'asc' | 'desc';
  each?: boolean;
}
export interface IndexRow {
  name: string;
  fields: IndexField[];
  unique: boolean;
  [more: string]: unknown;
}

export interface Policy {
  default_ttl: Ttl;
  stamp_ttl: { seconds: number; when: 'creation' | 'every_write' } | null;
  writers_may_set_ttl: boolean;
  keep_history_for: Retention;
  keep_trash_for: Retention;
  keep_feed_for: Retention;
  keep_purges_for: Retention;
  expire_to_trash: boolean;
}

export interface Collection extends Policy {
  name: string;
  indexes?: IndexRow[];
  [more: string]: unknown;
}

export interface Database {
  name: string;
  [more: string]: unknown;
}

export interface Document {
  id: string;
  partition?: unknown[];
  created_at: string;
  written_at: string;
  expires_at: string | null;
  revision: number;
  etag: string;
  author: string | null;
  updater: string | null;
  data: Record<string, unknown>;
  removed_at?: string;
  superseded_at?: string;
  expired?: boolean;
}

export type EventKind = 'created' | 'replaced' | 'removed' | 'expired' | 'restored' | 'forgotten';
export interface FeedEvent {
  kind: EventKind;
  id: string;
  partition?: unknown[];
  version_at: string;
  committed_at: string;
  position: string;
  death?: string;
}

export interface Estimate {
  documents: number;
  exact: boolean;
}
export interface Forecast {
  now: string;
  slots: { until: string; deaths: Estimate }[];
}
export interface Preview {
  now: string;
  at_once: Estimate;
  within_a_day: Estimate;
  within_a_week: Estimate;
}
