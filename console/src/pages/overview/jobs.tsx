// The background jobs; those that fail come first, by name.
import { get } from '../../api/client';
import { useLoad } from '../../api/load';
import { Table, type Column } from '../../parts/table';
import { spanText, timeText } from '../../parts/time';
import { PartError } from './part-error';
import { read_every } from './readings';
import { countText, manyText } from './text';

interface Job {
  name: string;
  running: boolean;
  due: string | null;
  last_run: string | null;
  took_seconds: number;
  runs: number;
  failures: number;
  last_error: string | null;
}

function stateOf({ running, last_error }: Job) {
  if (last_error !== null) return <span class="error">fails: {last_error}</span>;
  return running ? 'running' : 'waiting';
}

function timeOrNone(time: string | null) {
  return time !== null && <time dateTime={time}>{timeText(Date.parse(time))}</time>;
}

const columns: Column<Job>[] = [
  { title: 'Job', show: ({ name }) => name },
  { title: 'State', show: stateOf },
  { title: 'Last run', show: ({ last_run }) => timeOrNone(last_run) },
  { title: 'Took', isNumber: true, show: ({ took_seconds, runs }) => (runs > 0 ? spanText(took_seconds * 1_000) : '') },
  { title: 'Next run', show: ({ due }) => timeOrNone(due) },
  { title: 'Runs', isNumber: true, show: ({ runs }) => countText(runs) },
  { title: 'Failures', isNumber: true, show: ({ failures }) => countText(failures) },
];

function summaryOf(jobs: Job[], failing: Job[]) {
  if (failing.length === 0) return `${manyText(jobs.length, 'background job')}, none fails`;
  return `${manyText(jobs.length, 'background job')}, failing: ${failing.map(({ name }) => name).join(', ')}`;
}

export function Jobs() {
  const { data, error } = useLoad((signal) => get<{ jobs: Job[] }>('/v1/jobs', { signal }), [], read_every);
  const failing = data?.jobs.filter(({ last_error }) => last_error !== null) ?? [];
  const others = data?.jobs.filter(({ last_error }) => last_error === null) ?? [];
  return (
    <>
      <PartError error={error} />
      {data && (
        <details class="jobs" open={failing.length > 0}>
          <summary class={failing.length > 0 ? 'error' : undefined}>{summaryOf(data.jobs, failing)}</summary>
          <Table label="Background jobs" columns={columns} rows={[...failing, ...others]} keyOf={({ name }) => name} />
        </details>
      )}
    </>
  );
}
