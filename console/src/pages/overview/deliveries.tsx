// What the subscriptions deliver, the latest first.
import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Database } from '../../api/types';
import { Table, type Column } from '../../parts/table';
import { Since } from './ages';
import { mapConcurrently } from './concurrency';
import { PartError } from './part-error';
import type { Readings } from './readings';
import { countText } from './text';

interface Subscription {
  id: string;
  name: string | null;
  paused: boolean;
  state: { delivered: number; dead: number; waiting: number; oldest: string | null; last_error: string | null };
}

interface Row extends Subscription {
  database: string;
}

const databases_max = 50;
const rows_max = 20;
const concurrency = 6;
const read_every = 10_000;

// The subscription with the oldest event first; last, those that have delivered all.
const oldestOf = ({ state }: Row) => (state.oldest === null ? Infinity : Date.parse(state.oldest));
const byAge = (a: Row, b: Row) => oldestOf(a) - oldestOf(b);

async function readRows(signal: AbortSignal): Promise<{ rows: Row[]; isPartial: boolean }> {
  const { databases } = await get<{ databases: Database[] }>('/v1/databases', { signal });
  const read = databases.slice(0, databases_max);
  const outcomes = await mapConcurrently(read, concurrency, async ({ name }) => {
    const answer = await get<{ subscriptions: Subscription[] }>(`${pathOf(name)}/subscriptions`, { signal });
    return answer.subscriptions.map((row) => ({ ...row, database: name }));
  });
  const rows = outcomes.flatMap(({ value }) => value ?? []).sort(byAge);
  const isPartial = read.length < databases.length || rows.length > rows_max || outcomes.some(({ error }) => error);
  return { rows: rows.slice(0, rows_max), isPartial };
}

function stateOf({ paused, state }: Row) {
  if (state.last_error !== null) return <span class="error">{state.last_error}</span>;
  return paused ? 'paused' : 'in order';
}

const keyOf = ({ database, id }: Row) => `${database}/${id}`;

const columns: Column<Row>[] = [
  { title: 'Subscription', show: ({ name, id }) => name ?? <code>{id}</code> },
  { title: 'Database', show: ({ database }) => database },
  {
    title: 'Delay',
    isNumber: true,
    show: ({ state }) => (state.oldest === null ? 'none' : <Since at={state.oldest} />),
  },
  { title: 'Waiting', isNumber: true, show: ({ state }) => countText(state.waiting) },
  { title: 'Delivered', isNumber: true, show: ({ state }) => countText(state.delivered) },
  { title: 'Given up', isNumber: true, show: ({ state }) => countText(state.dead) },
  { title: 'State', show: stateOf },
];

function Rows() {
  const { data, error } = useLoad(readRows, [], read_every);
  return (
    <>
      <PartError error={error} />
      {data && <Table label="Subscriptions" columns={columns} rows={data.rows} keyOf={keyOf} />}
      {data?.isPartial && <p class="hint">These are not all: at most {rows_max}, of {databases_max} databases.</p>}
    </>
  );
}

// The metrics say whether there is any subscription, so that a server without them is not asked for each database.
export function Deliveries({ readings }: { readings: Readings }) {
  if (!readings.last.metrics.get('mayfly_subscription_lag_seconds')?.length) return null;
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <Rows />
    </section>
  );
}
