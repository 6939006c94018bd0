// How long a document still lives, by the server's clock; it counts down while one looks.
import { now } from '../api/clock';
import { spanText, timeText } from './time';

const soon = 60_000;

export function Countdown({ end }: { end: string | null }) {
  if (end === null) return <span class="hint">never</span>;
  const millis = Date.parse(end);
  const rest = millis - now.value;
  const text = rest <= 0 ? 'expired' : spanText(rest);
  return <time dateTime={end} title={timeText(millis, 'millis')} class={rest < soon ? 'soon' : undefined}>{text}</time>;
}
