// What was changed in the policy editor and is not saved yet.
import type { Collection, Policy } from '../../api/types';
import { isAbout } from './refused';
import type { Changes, FullPolicy, MemberName } from './policy_members';
import { loadPreview } from './preview';
import { expireText, sentence } from './words';

export interface Draft {
  changes: Changes;
  wrong: MemberName[];  // members whose fields have no value
}

export const unchanged: Draft = { changes: {}, wrong: [] };

export function withChange<Name extends MemberName>(
  { changes, wrong }: Draft,
  policy: FullPolicy,
  name: Name,
  value: FullPolicy[Name] | undefined,
): Draft {
  const others = wrong.filter((other) => other !== name);
  if (value === undefined) return { changes, wrong: [...others, name] };
  const changed: Changes = { ...changes, [name]: value };
  if (JSON.stringify(value) === JSON.stringify(policy[name])) delete changed[name];
  return { changes: changed, wrong: others };
}

export function policyOf(collection: Collection): FullPolicy {
  return {
    default_ttl: collection.default_ttl,
    stamp_ttl: collection.stamp_ttl,
    writers_may_set_ttl: collection.writers_may_set_ttl,
    keep_history_for: collection.keep_history_for,
    keep_trash_for: collection.keep_trash_for,
    keep_feed_for: collection.keep_feed_for,
    keep_purges_for: collection.keep_purges_for,
    expire_to_trash: collection.expire_to_trash,
    indexed: collection.indexed !== false,
  };
}

// The question to ask before it is saved: undefined if no document expires at once.
export async function questionOf(
  place: { database: string; collection: string },
  { default_ttl }: Partial<Policy>,
): Promise<string | undefined> {
  if (default_ttl === undefined) return undefined;
  try {
    const { at_once } = await loadPreview(place, default_ttl);
    const isSafe = at_once.documents === 0 && at_once.exact;
    return isSafe ? undefined : sentence(`${expireText(at_once)} at once`);
  } catch (failure) {
    const error = failure as Error;
    if (isAbout(error, 'default_ttl')) throw error;
    return `It is not known how many documents expire at once. ${error.message}`;
  }
}
