// The events of a collection, the newest first, as they happen.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection, FeedEvent } from '../../api/types';
import { address, addressOf, Link, navigate } from '../../app/router';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { timeText } from '../../parts/time';
import { keyOf, shown_max, type FeedRow, type Gap } from './buffer';
import { AfterForm, FilterBar, Pause } from './feed_bar';
import { positionTime } from './position';
import { useFeed, type Feed } from './use_feed';

interface Place {
  database: string;
  collection: string;
}

function Time({ at }: { at?: string }) {
  return at === undefined ? null : <time dateTime={at} title={at}>{timeText(Date.parse(at), 'millis')}</time>;
}

function GapNote({ gap }: { gap: Gap }) {
  return (
    <span class="soon">
      {gap.position === '0' || gap.position === ''
        ? 'The oldest events are no longer kept, so some are missing here.'
        : `Events after ${positionTime(gap.position)} are no longer kept, so some are missing here.`}
    </span>
  );
}

// A document that an event has ended has no page.
function DocumentId({ event, place }: { event: FeedEvent; place: Place }) {
  const lives = event.kind === 'created' || event.kind === 'replaced' || event.kind === 'restored';
  const to = addressOf(['documents', place.database, place.collection], { open: event.id });
  return (
    <>
      {lives ? <Link to={to}>{event.id}</Link> : event.id}
      {event.partition && <span class="hint"> {JSON.stringify(event.partition)}</span>}
    </>
  );
}

function columnsOf(place: Place): Column<FeedRow>[] {
  const shown = (show: (event: FeedEvent) => ComponentChildren) => (row: FeedRow) =>
    row.kind === 'gap' ? null : show(row);
  return [
    { title: 'Committed', show: shown((event) => <Time at={event.committed_at} />) },
    { title: 'Event', show: (row) => (row.kind === 'gap' ? <strong>gap</strong> : row.kind) },
    {
      title: 'Id',
      show: (row) => (row.kind === 'gap' ? <GapNote gap={row} /> : <DocumentId event={row} place={place} />),
    },
    { title: 'Version', show: shown((event) => <Time at={event.version_at} />) },
    { title: 'Expired', show: shown((event) => <Time at={event.death} />) },
    { title: 'Position', show: (row) => <code>{row.position}</code> },
  ];
}

function Problem({ feed }: { feed: Feed }) {
  if (!feed.problem) return null;
  return (
    <>
      <ErrorNote error={feed.problem} />
      {feed.hasEnded
        ? <button type="button" onClick={feed.startAgain}>Try again</button>
        : <p class="hint">The page tries again every second and continues after the last event.</p>}
    </>
  );
}

function NoEvents({ feed }: { feed: Feed }) {
  if (feed.problem) return null;
  const isWithoutFilter = feed.filter.id === '' && feed.filter.kinds.length === 0;
  return <Empty>{isWithoutFilter ? 'There are no events yet.' : 'No event matches so far.'}</Empty>;
}

function FeedOf({ place }: { place: Place }) {
  const after = address.value.query.get('after') ?? undefined;
  const [isPaused, setIsPaused] = useState(false);
  const feed = useFeed(pathOf(place.database, place.collection, 'feed'), after, isPaused);
  const readAfter = (position?: string) =>
    navigate(addressOf(['events', place.database, place.collection], { after: position }));
  return (
    <>
      <AfterForm key={after} after={after} onChange={readAfter} />
      <FilterBar filter={feed.filter} onChange={feed.setFilter}>
        <Pause buffer={feed.buffer} isPaused={isPaused} onChange={setIsPaused} />
      </FilterBar>
      <Problem feed={feed} />
      {feed.buffer.shown.length === 0
        ? <NoEvents feed={feed} />
        : <Table label="Events" columns={columnsOf(place)} rows={feed.buffer.shown} keyOf={keyOf} />}
      {feed.buffer.shown.length === shown_max && <p class="hint">The {shown_max} newest events are shown.</p>}
    </>
  );
}

function WithoutFeed({ place }: { place: Place }) {
  return (
    <Empty>
      This collection keeps no feed (<code>keep_feed_for</code> is 0), so its changes and expirations are not
      published.{' '}
      <Link to={addressOf(['collections', place.database, place.collection])}>Set it in the policy</Link>{' '}
      to publish events from then on.
    </Empty>
  );
}

export function FeedSection(place: Place) {
  const { database, collection } = place;
  const { data, error, isLoading } = useLoad(
    (signal) => get<Collection>(pathOf(database, collection), { signal }),
    [database, collection],
  );
  return (
    <section class="event-feed" aria-labelledby="feed">
      <h2 id="feed">Events of {collection}</h2>
      {error && <ErrorNote error={error} />}
      {data?.keep_feed_for === 0 && <WithoutFeed place={place} />}
      {!isLoading && data?.keep_feed_for !== 0 && <FeedOf place={place} />}
    </section>
  );
}
