// Messages of a subscription that were given up, page by page, and sending them again.
import { useEffect, useRef, useState } from 'preact/hooks';

import { get, pathOf, post } from '../../api/client';
import { useLoad } from '../../api/load';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { timeText } from '../../parts/time';
import { useAction } from '../../parts/action';
import { PagerBar, usePager } from '../../parts/pager';
import type { DeadLetter, DeadLetterList, SentLetters, Subscription } from './types';

const columns: Column<DeadLetter>[] = [
  { title: 'Given up', show: (row) => <time dateTime={row.died_at}>{timeText(Date.parse(row.died_at))}</time> },
  { title: 'Event', show: (row) => row.event },
  { title: 'Collection', show: (row) => row.collection },
  { title: 'Attempts', show: (row) => row.attempts, isNumber: true },
  { title: 'Error', show: (row) => row.error },
  {
    title: 'Message',
    show: (row) => (
      <details>
        <summary>{row.id}</summary>
        <pre>{JSON.stringify(row.payload, null, 2)}</pre>
      </details>
    ),
  },
];

// Sends this page again, and with `all` those after it; returns the number of messages.
async function send(path: string, page: string | undefined, all: boolean): Promise<number> {
  let answer = await post<SentLetters>(path, undefined, { query: { page } });
  let sent = answer.sent;
  while (all && answer.next !== null) {
    answer = await post<SentLetters>(path, undefined, { query: { page: answer.next } });
    sent += answer.sent;
  }
  return sent;
}

interface SendBarProps {
  path: string;
  page?: string;
  isEmpty: boolean;
  onSent: (all: boolean) => void;
}

function SendBar({ path, page, isEmpty, onSent }: SendBarProps) {
  const [sent, setSent] = useState<number>();
  const { error, isBusy, run } = useAction();
  const sendAgain = (all: boolean) => run(async () => {
    setSent(await send(path, all ? undefined : page, all));
    onSent(all);
  });
  return (
    <>
      <div class="bar">
        <button type="button" disabled={isBusy || isEmpty} onClick={() => sendAgain(false)}>
          Send this page again
        </button>
        <button type="button" disabled={isBusy || isEmpty} onClick={() => sendAgain(true)}>Send all again</button>
        <span role="status">{sent !== undefined && `Sent again: ${sent}`}</span>
      </div>
      {error && <ErrorNote error={error} />}
    </>
  );
}

interface DeadLettersProps {
  database: string;
  subscription: Subscription;
  onSent: () => void;
}

export function DeadLetters({ database, subscription, onSent }: DeadLettersProps) {
  const path = pathOf(database, undefined, 'subscriptions', subscription.id, 'dead_letters');
  const pager = usePager();
  const { data, error, reload } = useLoad(
    (signal) => get<DeadLetterList>(path, { query: { page: pager.page }, signal }),
    [path, pager.page],
  );
  const { dead } = subscription.state;
  const known = useRef(dead);
  useEffect(() => {
    if (known.current !== dead) reload();
    known.current = dead;
  }, [dead]);
  const readAgain = (all: boolean) => {
    if (all) pager.setFirst();
    reload();
    onSent();
  };
  const rows = data?.dead_letters ?? [];
  return (
    <>
      <h4>Messages that were given up</h4>
      {error && <ErrorNote error={error} />}
      <SendBar path={`${path}/send`} page={pager.page} isEmpty={rows.length === 0} onSent={readAgain} />
      {data && rows.length === 0 && <Empty>There are none here. They are kept for 30 days.</Empty>}
      {rows.length > 0 && (
        <Table label="Messages that were given up" columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <PagerBar pager={pager} next={data?.next} />
    </>
  );
}
