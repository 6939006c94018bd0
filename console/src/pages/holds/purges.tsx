// The record of purges, page by page.
import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Policy } from '../../api/types';
import { addressOf, Link } from '../../app/router';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { timeText, ttlText } from '../../parts/time';
import type { Place } from './hold';
import { PagerBar, usePager } from '../../parts/pager';
import { how_text, type PurgedVersion, type PurgePage, type PurgeRecord } from './purge';
import { Verify } from './verify';

const listed_max = 3;  // versions of a record that are shown without a click
const hash_start = 12;

function Version({ version }: { version: PurgedVersion }) {
  const { id, how, by, written_at, ended_at } = version;
  return (
    <li>
      <strong>{id}</strong> {how_text[how]}
      {by !== null && ` by ${by}`}, written {timeText(Date.parse(written_at))}, ended {timeText(Date.parse(ended_at))}
    </li>
  );
}

function Versions({ versions }: { versions: PurgedVersion[] }) {
  const items = versions.map((version, i) => <Version key={i} version={version} />);
  if (versions.length <= listed_max) return <ul class="purged">{items}</ul>;
  return (
    <details>
      <summary>{versions.length} versions</summary>
      <ul class="purged">{items}</ul>
    </details>
  );
}

function Hash({ hash }: { hash: string }) {
  return <code title={hash}>{hash === '' ? 'none' : `${hash.slice(0, hash_start)}…`}</code>;
}

const columns: Column<PurgeRecord>[] = [
  { title: 'Number', show: (row) => row.number, isNumber: true },
  {
    title: 'Purged',
    show: ({ purged_at }) => <time dateTime={purged_at} title={purged_at}>{timeText(Date.parse(purged_at))}</time>,
  },
  { title: 'Versions', show: (row) => <Versions versions={row.versions} /> },
  { title: 'Hash of the record before', show: (row) => <Hash hash={row.previous} /> },
  { title: 'Hash', show: (row) => <Hash hash={row.hash} /> },
];

function WithoutRecord({ place }: { place: Place }) {
  return (
    <Empty>
      This collection keeps no record of purges (<code>keep_purges_for</code> is 0).{' '}
      <Link to={addressOf(['collections', place.database, place.collection])}>Set it in the policy</Link> to record
      purges from then on.
    </Empty>
  );
}

function nextOf(page?: PurgePage): string | undefined {
  return page?.has_more ? page.records.at(-1)?.number.toString() : undefined;
}

function Records({ path }: { path: string }) {
  const pager = usePager();
  const { data, error, reload } = useLoad(
    (signal) => get<PurgePage>(path, { query: { after: pager.page }, signal }),
    [path, pager.page],
  );
  const rows = data?.records ?? [];
  return (
    <>
      <Verify path={path} onReadAgain={reload} />
      {error && <ErrorNote error={error} />}
      {data && !data.intact && <p class="error">The server says that the hashes of this page do not match.</p>}
      {data && rows.length === 0 && <Empty>There are no records here. Nothing has been purged yet.</Empty>}
      {rows.length > 0 && (
        <Table label="Purges" columns={columns} rows={rows} keyOf={({ number }) => String(number)} />
      )}
      <PagerBar pager={pager} next={nextOf(data)} />
    </>
  );
}

export function Purges({ place, policy }: { place: Place; policy?: Policy }) {
  const path = pathOf(place.database, place.collection, 'purges');
  return (
    <section aria-labelledby="purges">
      <h2 id="purges">Record of purges</h2>
      {policy?.keep_purges_for === 0 && <WithoutRecord place={place} />}
      {policy !== undefined && policy.keep_purges_for !== 0 && (
        <p class="hint">
          Each record has the hash of the one before it, so that none can be changed or left out unnoticed. Records are
          kept for {policy.keep_purges_for === 'forever' ? 'ever' : ttlText(policy.keep_purges_for)}.
        </p>
      )}
      {policy?.keep_purges_for !== 0 && <Records path={path} />}
    </section>
  );
}
