// The state of a subscription in words, by the server's clock.
import { now } from '../../api/clock';
import { spanText, timeText } from '../../parts/time';
import type { Subscription } from './types';

export function StateText({ subscription }: { subscription: Subscription }) {
  const { paused, state } = subscription;
  const rests = state.rests_until === null ? NaN : Date.parse(state.rests_until);
  const text = paused ? 'paused' : rests > now.value ? `rests until ${timeText(rests)}` : 'sending';
  return <>{text}{state.gap && <span class="soon"> · gap</span>}</>;
}

// How long ago the oldest event happened that is not done.
export function Lag({ oldest }: { oldest: string | null }) {
  if (oldest === null) return <span class="hint">none</span>;
  return <time dateTime={oldest} title={oldest}>{spanText(now.value - Date.parse(oldest))}</time>;
}
