// What the policy of a collection means for this page. It can be unknown, if it was not read yet or cannot be read.
import type { Collection } from '../../api/types';

export function maySetLifetime(policy?: Collection): boolean {
  return policy?.writers_may_set_ttl !== false;
}

export function keepsHistory(policy?: Collection): boolean {
  return policy !== undefined && policy.keep_history_for !== 0;
}

const margin = 2_000;

// The first instant, in milliseconds, that one can look at: not before the collection was created, nor before its
// history begins. That begin moves on while a request is under way, so a little later.
export function beginOf(policy: Collection, now: number): number {
  const created = typeof policy.created_at === 'string' ? Date.parse(policy.created_at) + 1 : 0;
  const kept = policy.keep_history_for === 'forever' ? 0 : now - policy.keep_history_for * 1_000 + margin;
  return Math.min(Math.max(kept, created), now);
}
