// What the form of a new subscription has, and what is sent.
import type { EventKind } from '../../api/types';
import { fromText, type From } from './from';

export interface Draft {
  name: string;
  collections: string[];  // empty: all
  kinds: EventKind[];     // empty: all
  filter: string;
  target: 'webhook' | 'nats';
  url: string;
  secret: string;      // empty: the server creates one
  batchMax: string;    // empty: a message is sent alone
  subject: string;     // empty: that of the setting
  from: From;
  attemptsMax: string;
}

export const empty_draft: Draft = {
  name: '',
  collections: [],
  kinds: [],
  filter: '',
  target: 'webhook',
  url: '',
  secret: '',
  batchMax: '',
  subject: '',
  from: { kind: 'now', at: '' },
  attemptsMax: '10',
};

const unlessEmpty = (text: string) => (text.trim() === '' ? undefined : text.trim());
const numberUnlessEmpty = (text: string) => (text === '' ? undefined : Number(text));

function targetOf(draft: Draft) {
  if (draft.target === 'nats') return { nats: { subject: unlessEmpty(draft.subject) } };
  const secret = draft.secret === '' ? undefined : draft.secret;
  return { webhook: { url: draft.url, secret, batch_max: numberUnlessEmpty(draft.batchMax) } };
}

// The body of the request; JSON has no member whose value is undefined.
export function bodyOf(draft: Draft) {
  return {
    name: unlessEmpty(draft.name),
    collections: draft.collections.length > 0 ? draft.collections : undefined,
    kinds: draft.kinds.length > 0 ? draft.kinds : undefined,
    filter: unlessEmpty(draft.filter),
    target: targetOf(draft),
    from: fromText(draft.from),
    attempts_max: numberUnlessEmpty(draft.attemptsMax),
  };
}
