// Positions of a feed: `1772186400000007.0` is the instant of a commit in microseconds and a number within it.
import { timeText } from '../../parts/time';

const last_number = 4_294_967_295;  // after every event of its commit

// The position before all events from that time on; a text that is not a time is a position itself.
export function positionOf(text: string): string {
  const millis = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(millis) ? text : `${millis * 1_000 - 1}.${last_number}`;
}

export function positionTime(position: string): string {
  return timeText(Number(position.split('.')[0]) / 1_000, 'millis');
}
