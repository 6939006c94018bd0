// Spans between an instant and the server's time. They count on their own.
import { now } from '../../api/clock';
import { spanText, timeText } from '../../parts/time';

interface SpanProps {
  at: string;
}

export function Until({ at }: SpanProps) {
  const millis = Date.parse(at);
  const rest = millis - now.value;
  return <time dateTime={at} title={timeText(millis, 'millis')}>{rest <= 0 ? 'now' : `in ${spanText(rest)}`}</time>;
}

export function Since({ at }: SpanProps) {
  const millis = Date.parse(at);
  return <time dateTime={at} title={timeText(millis, 'millis')}>{spanText(now.value - millis)}</time>;
}
