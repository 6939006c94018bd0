// How long a document is still in the trash, by the server's clock.
import { now } from '../../api/clock';
import type { Policy } from '../../api/types';
import { spanText, timeText } from '../../parts/time';
import { leavesAt, type TrashRow } from './row';

export function Leaves({ row, policy }: { row: TrashRow; policy?: Policy }) {
  if (row.hold) return <span title={row.hold.reason}>held</span>;
  if (!policy) return <span class="hint">unknown</span>;
  const end = leavesAt(row, policy);
  if (end === Infinity) return <span class="hint">never</span>;
  const rest = end - now.value;
  const text = rest > 0 ? spanText(rest) : 'now';
  return <time dateTime={new Date(end).toISOString()} title={timeText(end, 'millis')}>{text}</time>;
}
