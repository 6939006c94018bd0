// How late the server is with what it does in the background, and the state of the sweeper.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { get, post } from '../../api/client';
import { useLoad } from '../../api/load';
import { Table, type Column } from '../../parts/table';
import { spanText } from '../../parts/time';
import { Until } from './ages';
import { largestOf, type Metrics } from './metrics';
import { PartError } from './part-error';
import { read_every, type Readings } from './readings';
import { countText, manyText } from './text';

interface Sweeper {
  paused: boolean;
  next_due: string | null;
  overdue_collections: number;
}

interface Delay {
  title: string;
  metric: string;
  text: (value: number) => string;
  attentionFrom: number;
  meaning: string;
}

const seconds = (value: number) => (value < 0.001 ? 'none' : spanText(value * 1_000));

const delays: Delay[] = [
  { title: 'Sweeper', metric: 'mayfly_sweeper_overdue_seconds', text: seconds, attentionFrom: 10,
    meaning: 'Age of the oldest expiration that is not recorded. Feeds publish it late by as much; reads are exact.' },
  { title: 'Failing collections', metric: 'mayfly_sweeper_failing_collections', text: countText, attentionFrom: 1,
    meaning: 'The sweeper cannot record their expirations. See the log.' },
  { title: 'Deliveries', metric: 'mayfly_subscription_lag_seconds', text: seconds, attentionFrom: 60,
    meaning: 'Age of the oldest event that a subscription has not delivered.' },
  { title: 'Readers of feeds', metric: 'mayfly_streams_overrun_total', text: countText, attentionFrom: Infinity,
    meaning: 'Streams ended since the start because their clients read too slowly.' },
  { title: 'Disk', metric: 'mayfly_flush_seconds', text: seconds, attentionFrom: 1,
    meaning: 'Age of the flush that is in progress.' },
  { title: 'Time of readers', metric: 'mayfly_clock_behind_seconds', text: seconds, attentionFrom: 1,
    meaning: 'How long a commit in progress has stopped the time that readers see.' },
  { title: 'Time of the data', metric: 'mayfly_clock_ahead_seconds', text: seconds, attentionFrom: 1,
    meaning: 'How far it is ahead of the clock. Documents expire late by as much.' },
  { title: 'Overload', metric: 'mayfly_requests_overloaded_total', text: countText, attentionFrom: Infinity,
    meaning: 'Requests refused for overload, since the start.' },
];

function columnsOf(metrics: Metrics): Column<Delay>[] {
  return [
    { title: 'What', show: ({ title }) => title },
    {
      title: 'Now',
      isNumber: true,
      show: ({ metric, text, attentionFrom }) => {
        const value = largestOf(metrics, metric) ?? 0;
        return value < attentionFrom ? text(value) : <strong class="soon">{text(value)} (too much)</strong>;
      },
    },
    { title: 'Meaning', show: ({ meaning }) => <span class="hint">{meaning}</span> },
  ];
}

export function Delays({ readings }: { readings: Readings }) {
  const { metrics } = readings.last;
  const offered = delays.filter(({ metric }) => metrics.has(metric));
  return <Table label="Delays" columns={columnsOf(metrics)} rows={offered} keyOf={({ title }) => title} />;
}

function Resume({ onDone }: { onDone: () => void }) {
  const [error, setError] = useState<Error>();
  const resume = () => post('/v1/sweeper/resume').then(onDone, setError);
  return (
    <div class="state warns">
      <p>The sweeper is paused: expirations are not recorded, and feeds do not publish them. Reads are exact.</p>
      <button type="button" onClick={resume}>Resume the sweeper</button>
      <PartError error={error} />
    </div>
  );
}

function nextText({ next_due, overdue_collections }: Sweeper): ComponentChildren {
  const waiting = overdue_collections > 0 && `; ${manyText(overdue_collections, 'collection')} must be visited now`;
  return next_due === null
    ? <>The sweeper knows of no expiration to come{waiting}.</>
    : <>The next expiration is due <Until at={next_due} />{waiting}.</>;
}

export function SweeperState() {
  const { data, error, reload } = useLoad((signal) => get<Sweeper>('/v1/sweeper', { signal }), [], read_every);
  return (
    <>
      <PartError error={error} />
      {data?.paused && <Resume onDone={reload} />}
      {data && <p>{nextText(data)}</p>}
    </>
  );
}
