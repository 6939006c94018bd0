// Documents under hold, page by page, and their release.
import { useState } from 'preact/hooks';

import { call, get, pathOf } from '../../api/client';
import { now } from '../../api/clock';
import { useLoad } from '../../api/load';
import { addressOf, Link } from '../../app/router';
import { Confirm } from '../../parts/dialog';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { timeText } from '../../parts/time';
import { useAction } from '../../parts/action';
import { nameOf, partitionOf } from '../../parts/names';
import { afterReleaseText, keyOf, type HeldDocument, type HoldPage, type Place } from './hold';
import { PagerBar, usePager } from '../../parts/pager';

const read_every = 5_000;

function AfterRelease({ row }: { row: HeldDocument }) {
  return <>{afterReleaseText(row.hold, now.value)}</>;
}

function Where({ row, place }: { row: HeldDocument; place: Place }) {
  const { database, collection } = place;
  if (row.removed_at !== null) {
    const trash = addressOf(['trash', database, collection]);
    return <>in the <Link to={trash}>trash</Link> since {instant(row.removed_at)}</>;
  }
  return <Link to={addressOf(['documents', database, collection], { open: row.id, partition: partitionOf(row) })}>living</Link>;
}

function instant(text: string) {
  return <time dateTime={text} title={text}>{timeText(Date.parse(text))}</time>;
}

function columnsOf(place: Place, onRelease: (row: HeldDocument) => void): Column<HeldDocument>[] {
  return [
    { title: 'Id', show: nameOf },
    { title: 'Where', show: (row) => <Where row={row} place={place} /> },
    { title: 'Reason', show: (row) => row.hold.reason },
    { title: 'By', show: (row) => row.hold.by },
    { title: 'Held since', show: (row) => instant(row.hold.held_at) },
    { title: 'After its release it', show: (row) => <AfterRelease row={row} /> },
    {
      title: 'Actions',
      show: (row) => (
        <button type="button" aria-label={`Release ${nameOf(row)}`} onClick={() => onRelease(row)}>Release…</button>
      ),
    },
  ];
}

// A living document is released with those of its id in the trash; one in the trash is released alone.
async function release(place: Place, row: HeldDocument): Promise<void> {
  const path = pathOf(place.database, place.collection, 'holds', row.id);
  await call('DELETE', path, { query: { partition: partitionOf(row), removed_at: row.removed_at ?? undefined } });
}

interface ReleaseProps {
  place: Place;
  row: HeldDocument;
  onReleased: () => void;
  onClose: () => void;
}

function Release({ place, row, onReleased, onClose }: ReleaseProps) {
  const { error, isBusy, run } = useAction();
  const start = () => run(async () => {
    if (isBusy) return;
    await release(place, row);
    onReleased();
    onClose();
  });
  return (
    <Confirm title={`Release ${nameOf(row)}?`} action="Release" onConfirm={start} onClose={onClose}>
      {row.removed_at === null
        ? <p>All its versions are released, those in the trash as well. The living one <AfterRelease row={row} />.</p>
        : <p>It stays in the trash for as long as the policy says. That may be over: then it leaves immediately.</p>}
      {row.hold.reason && <p>Reason of the hold: {row.hold.reason}</p>}
      {error && <ErrorNote error={error} />}
    </Confirm>
  );
}

export function Held({ place }: { place: Place }) {
  const path = pathOf(place.database, place.collection, 'holds');
  const pager = usePager();
  const { data, error, reload } = useLoad(
    (signal) => get<HoldPage>(path, { query: { page: pager.page }, signal }),
    [path, pager.page],
    read_every,
  );
  const [releasing, setReleasing] = useState<HeldDocument>();
  const rows = data?.documents ?? [];
  const close = () => setReleasing(undefined);
  return (
    <section aria-labelledby="holds">
      <h2 id="holds">Documents under hold</h2>
      {error && <ErrorNote error={error} />}
      {data && rows.length === 0 && (
        <Empty>There are none here. A held document does not expire and cannot be removed until its release.</Empty>
      )}
      {rows.length > 0 && (
        <Table label="Held documents" columns={columnsOf(place, setReleasing)} rows={rows} keyOf={keyOf} />
      )}
      <PagerBar pager={pager} next={data?.next} />
      {releasing && <Release place={place} row={releasing} onReleased={reload} onClose={close} />}
    </section>
  );
}
