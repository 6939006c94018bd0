// The most important numbers, one tile each.
import { now } from '../../api/clock';
import { spanText } from '../../parts/time';
import { labelOf, valueOf, type Metrics } from './metrics';
import { rateOf, type Readings } from './readings';
import { bytesText, countText, rateText } from './text';

interface Tile {
  title: string;
  show: (readings: Readings) => string | undefined;
  hint: (readings: Readings) => string | undefined;
}

const shown = (value: number | undefined, text: (value: number) => string) =>
  value === undefined ? undefined : text(value);

const rate = (name: string) => (readings: Readings) => shown(rateOf(readings, name), rateText);
// Without documents there is no sample of their number.
const count = (name: string) => ({ last }: Readings) => countText(valueOf(last.metrics, name) ?? 0);
const bytes = (name: string) => ({ last }: Readings) => shown(valueOf(last.metrics, name), bytesText);

function memoryHint({ last }: Readings) {
  const parts = last.metrics.get('mayfly_memory_bytes') ?? [];
  const store = parts.find(({ labels }) => labels.part === 'store');
  return store && `${bytesText(store.value)} of it for the store`;
}

function waitingHint({ last }: Readings) {
  return shown(valueOf(last.metrics, 'mayfly_requests_waiting'), (count) => `requests waiting: ${countText(count)}`);
}

const tiles: Tile[] = [
  { title: 'Requests per second', show: rate('mayfly_requests_total'), hint: () => "this page's own included" },
  { title: 'Writes per second', show: rate('mayfly_commits_total'), hint: () => 'commits to the store' },
  { title: 'Expirations per second', show: rate('mayfly_expired_total'), hint: () => 'as the sweeper records them' },
  { title: 'Documents', show: count('mayfly_documents'), hint: () => 'with expired ones that are not erased yet' },
  { title: 'Memory', show: bytes('process_resident_memory_bytes'), hint: memoryHint },
  { title: 'Disk', show: bytes('mayfly_disk_bytes'), hint: () => 'estimated' },
  { title: 'Connections', show: count('mayfly_connections'), hint: waitingHint },
  { title: 'Open streams', show: count('mayfly_streams'), hint: () => 'such as followed feeds' },
];

// The start of the process is by the machine's clock, which a virtual one does not follow.
function uptimeOf(metrics: Metrics): number | undefined {
  const start = valueOf(metrics, 'process_start_time_seconds');
  const isVirtual = valueOf(metrics, 'mayfly_clock_virtual') === 1;
  const today = isVirtual ? Date.now() : now.peek();
  return start === undefined ? undefined : today - start * 1_000;
}

export function Server({ readings: { last } }: { readings: Readings }) {
  const version = labelOf(last.metrics, 'mayfly_build_info', 'version');
  const uptime = uptimeOf(last.metrics);
  return (
    <p>
      Mayfly {version ?? 'of an unknown version'}{uptime !== undefined && <>, up for {spanText(uptime)}</>}
    </p>
  );
}

export function Facts({ readings }: { readings: Readings }) {
  return (
    <ul class="tiles" aria-label="Numbers of the server">
      {tiles.map(({ title, show, hint }) => (
        <li key={title} class="tile">
          {title}
          <b>{show(readings) ?? '…'}</b>
          <span class="hint">{hint(readings)}</span>
        </li>
      ))}
    </ul>
  );
}
