// The subscriptions of a database, and the one that is open.
import { useState } from 'preact/hooks';

import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { Create } from './create';
import { Lag, StateText } from './state';
import { SubscriptionDetails } from './subscription';
import { nameOf, targetText, type Subscription } from './types';

const read_every = 2_000;

function columnsOf(openId: string | undefined, onOpen: (id?: string) => void): Column<Subscription>[] {
  const button = (row: Subscription) => (
    <button
      type="button"
      class="quiet opens"
      aria-expanded={row.id === openId}
      onClick={() => onOpen(row.id === openId ? undefined : row.id)}
    >
      {nameOf(row)}
    </button>
  );
  return [
    { title: 'Name', show: button },
    { title: 'Target', show: (row) => targetText(row.target) },
    { title: 'State', show: (row) => <StateText subscription={row} /> },
    { title: 'Delivered', show: (row) => row.state.delivered, isNumber: true },
    { title: 'Waiting', show: (row) => row.state.waiting, isNumber: true },
    { title: 'Under way', show: (row) => row.state.under_way, isNumber: true },
    { title: 'Given up', show: (row) => row.state.dead, isNumber: true },
    { title: 'Lag', show: (row) => <Lag oldest={row.state.oldest} />, isNumber: true },
    { title: 'Last error', show: (row) => row.state.last_error },
  ];
}

export function Subscriptions({ database }: { database: string }) {
  const path = pathOf(database, undefined, 'subscriptions');
  const { data, error, reload } = useLoad(
    (signal) => get<{ subscriptions: Subscription[] }>(path, { signal }),
    [path],
    read_every,
  );
  const [openId, setOpenId] = useState<string>();
  const [isCreating, setIsCreating] = useState(false);
  const open = data?.subscriptions.find(({ id }) => id === openId);
  return (
    <section aria-labelledby="subscriptions">
      <h2 id="subscriptions">Subscriptions of {database}</h2>
      <div class="bar">
        <button type="button" onClick={() => setIsCreating(true)}>New subscription…</button>
      </div>
      {error && <ErrorNote error={error} />}
      {data?.subscriptions.length === 0 && (
        <Empty>There are none. A subscription sends the events of this database to a webhook or to NATS.</Empty>
      )}
      {data !== undefined && data.subscriptions.length > 0 && (
        <Table
          label="Subscriptions"
          columns={columnsOf(openId, setOpenId)}
          rows={data.subscriptions}
          keyOf={({ id }) => id}
        />
      )}
      {open && <SubscriptionDetails key={open.id} database={database} subscription={open} onChange={reload} />}
      {isCreating && <Create database={database} onCreated={reload} onClose={() => setIsCreating(false)} />}
    </section>
  );
}
