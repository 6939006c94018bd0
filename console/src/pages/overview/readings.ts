// The metrics of the server, read again and again: rates are the differences between two readings.
import { useRef } from 'preact/hooks';

import { fetchAnswer } from '../../api/client';
import { useLoad, type Loaded } from '../../api/load';
import { parseMetrics, valueOf, type Metrics } from './metrics';

export interface Reading {
  at: number;  // milliseconds by performance.now()
  metrics: Metrics;
}

// What expired between two readings.
export interface Expired {
  at: number;
  documents: number;
  perSecond: number;
}

export interface Readings {
  last: Reading;
  previous?: Reading;
  expired: Expired[];  // since the page was opened, the oldest first
}

export const read_every = 2_000;
const expired_kept_max = 900;  // half an hour

async function readMetrics(signal: AbortSignal): Promise<Reading> {
  const response = await fetchAnswer('GET', '/metrics', { signal });
  return { metrics: parseMetrics(await response.text()), at: performance.now() };
}

const startOf = (reading: Reading) => valueOf(reading.metrics, 'process_start_time_seconds');

function differenceOf(name: string, last: Reading, previous?: Reading): number | undefined {
  const to = valueOf(last.metrics, name);
  const from = previous && valueOf(previous.metrics, name);
  return to === undefined || from === undefined ? undefined : to - from;
}

const secondsBetween = (previous: Reading, last: Reading) => Math.max(0.001, (last.at - previous.at) / 1_000);

// Counters begin at zero when the server starts again, so readings from before the start do not count.
export function withReading(before: Readings | undefined, last: Reading): Readings {
  if (!before || startOf(before.last) !== startOf(last)) return { last, expired: before?.expired ?? [] };
  const previous = before.last;
  const documents = differenceOf('mayfly_expired_total', last, previous) ?? 0;
  const expired = { at: last.at, documents, perSecond: documents / secondsBetween(previous, last) };
  return { last, previous, expired: [...before.expired, expired].slice(-expired_kept_max) };
}

// Of a counter, per second; undefined until there are two readings.
export function rateOf({ last, previous }: Readings, name: string): number | undefined {
  const difference = differenceOf(name, last, previous);
  return difference === undefined || !previous ? undefined : difference / secondsBetween(previous, last);
}

export function useReadings(): Loaded<Readings> {
  const kept = useRef<Readings | undefined>(undefined);
  return useLoad(async (signal) => {
    kept.current = withReading(kept.current, await readMetrics(signal));
    return kept.current;
  }, [], read_every);
}
