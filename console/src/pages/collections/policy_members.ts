// The members of a policy, one row each: docs/dialects/native.md has the same table.
import type { Policy } from '../../api/types';
import type { SpanWord } from '../../parts/ttl_field';

export interface FullPolicy extends Policy {
  indexed: boolean;
}
export type MemberName = keyof FullPolicy;

// What is sent: only what differs from the present policy.
export type Changes = Partial<FullPolicy>;

interface Row {
  title: string;
  about: string;
}
export interface SpanRow extends Row {
  name: 'default_ttl' | 'keep_history_for' | 'keep_trash_for' | 'keep_feed_for' | 'keep_purges_for';
  words: SpanWord[];
}
export interface StampRow extends Row {
  name: 'stamp_ttl';
}
export interface FlagRow extends Row {
  name: 'writers_may_set_ttl' | 'expire_to_trash' | 'indexed';
}
export type MemberRow = SpanRow | StampRow | FlagRow;

export const default_ttl_words: SpanWord[] = [{ value: null, text: 'none' }, { value: 'never', text: 'never' }];
export const stamp_words: SpanWord[] = [{ value: null, text: 'none' }];
const kept_words: SpanWord[] = [{ value: 0, text: 'no' }, { value: 'forever', text: 'forever' }];

export const member_rows: MemberRow[] = [
  {
    name: 'default_ttl',
    title: 'Default TTL',
    words: default_ttl_words,
    about:
      'A document without its own lifetime expires this long after its last write. A change moves the expiration of ' +
      'all these documents immediately, and brings no expired one back. With none or never they do not expire; ' +
      'with none, a ttl in the body of a Cosmos DB document has no effect either.',
  },
  {
    name: 'stamp_ttl',
    title: 'TTL given to writes',
    about: 'Gives an expires_at to a document that is written without a lifetime. Later changes do not move it.',
  },
  {
    name: 'writers_may_set_ttl',
    title: 'Writers may set a lifetime',
    about: 'If it is off, a write with a lifetime is refused.',
  },
  {
    name: 'keep_history_for',
    title: 'Keep history',
    words: kept_words,
    about: 'How long earlier and expired versions can be read, as of an instant. A longer span brings nothing back.',
  },
  {
    name: 'keep_trash_for',
    title: 'Keep removed documents',
    words: kept_words,
    about: 'How long a removed document stays in the trash, where it can be restored. With no, a removal is final.',
  },
  {
    name: 'keep_feed_for',
    title: 'Keep events',
    words: kept_words,
    about: 'How long the feed keeps events. With no, none are written, so streams and subscriptions get nothing.',
  },
  {
    name: 'keep_purges_for',
    title: 'Keep the record of purges',
    words: kept_words,
    about: 'How long it is recorded which versions were removed from the disk. With no, there is no record.',
  },
  {
    name: 'expire_to_trash',
    title: 'Expired documents go to the trash',
    about: 'They stay there as long as removed documents do. This needs a trash.',
  },
  {
    name: 'indexed',
    title: 'Indexed',
    about:
      'Off for a container of the Cosmos DB API with the indexing mode none. Such a collection cannot have a default ' +
      'TTL. It has no other effect.',
  },
];
