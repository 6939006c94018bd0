// Subscriptions of the native API, and what a page says of them.
import type { EventKind } from '../../api/types';

export interface SubscriptionState {
  delivered: number;
  dead: number;
  waiting: number;
  under_way: number;
  oldest: string | null;
  rests_until: string | null;
  gap: boolean;
  last_error: string | null;
  failed_at: string | null;
  delivered_at: string | null;
}

export interface Target {
  webhook?: { url: string; batch_max?: number; secret?: string };
  nats?: { subject?: string };
}

export interface Subscription {
  id: string;
  name: string | null;
  collections: string[];
  kinds: EventKind[];
  filter: string | null;
  target: Target;
  attempts_max: number;
  paused: boolean;
  created_at: string;
  state: SubscriptionState;
}

export interface DeadLetter {
  id: string;
  event: string;
  collection: string;
  attempts: number;
  error: string;
  died_at: string;
  payload: unknown;
}
export interface DeadLetterList {
  dead_letters: DeadLetter[];
  next: string | null;
}
export interface SentLetters {
  sent: number;
  has_more: boolean;
  next: string | null;
}

// The server's own subscriptions have the name of the database in their id; the ids of others are UUIDs.
export function isServersOwn(subscription: Subscription, database: string): boolean {
  return subscription.id.endsWith(`.${database}`);
}

export function nameOf({ id, name }: Subscription): string {
  return name ?? id;
}

export function targetText({ webhook, nats }: Target): string {
  if (webhook) return webhook.url;
  if (nats) return nats.subject ? `NATS: ${nats.subject}` : 'NATS';
  return 'unknown';
}
