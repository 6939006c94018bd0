// The events that the page shows, and those that have arrived since it was last drawn.
import type { EventKind, FeedEvent } from '../../api/types';

export const shown_max = 500;
// The events that wait while the page is paused, and those that a changed filter still finds.
export const kept_max = 5_000;

// Events after this position are no longer kept by the server.
export interface Gap {
  kind: 'gap';
  position: string;
}
export type FeedRow = FeedEvent | Gap;

export interface EventFilter {
  kinds: readonly EventKind[];  // empty: all
  id: string;                   // a part of the id
}
export const no_filter: EventFilter = { kinds: [], id: '' };

export function keyOf(row: FeedRow): string {
  return `${row.kind} ${row.position}`;
}

// A gap matches every filter, because it may concern any event.
function matches(row: FeedRow, filter: EventFilter): boolean {
  if (row.kind === 'gap') return true;
  return (filter.kinds.length === 0 || filter.kinds.includes(row.kind)) && row.id.includes(filter.id);
}

export class FeedBuffer {
  shown: FeedRow[] = [];    // newest first
  waiting: FeedRow[] = [];  // oldest first
  changes = 0;  // grows with each change of the two
  dropped = 0;  // of those that waited, because there were too many
  private kept: FeedRow[] = [];  // newest first, whatever the filter says
  private filter = no_filter;
  private lastGap?: string;

  add(row: FeedRow): void {
    if (row.kind === 'gap') {
      if (row.position === this.lastGap) return;  // the server repeats it when the stream begins again
      this.lastGap = row.position;
    }
    this.changes += 1;
    this.waiting.push(row);
    if (this.waiting.length <= kept_max) return;
    this.waiting.shift();
    this.dropped += 1;
  }

  showWaiting(): void {
    if (this.waiting.length === 0) return;
    this.changes += 1;
    const arrived = this.waiting.reverse();
    this.waiting = [];
    this.dropped = 0;
    this.kept = [...arrived, ...this.kept].slice(0, kept_max);
    this.shown = [...arrived.filter((row) => matches(row, this.filter)), ...this.shown].slice(0, shown_max);
  }

  filterBy(filter: EventFilter): void {
    this.filter = filter;
    this.shown = this.kept.filter((row) => matches(row, filter)).slice(0, shown_max);
  }

  clear(): void {
    this.shown = [];
    this.waiting = [];
    this.kept = [];
    this.changes += 1;
    this.dropped = 0;
    this.lastGap = undefined;
  }
}
