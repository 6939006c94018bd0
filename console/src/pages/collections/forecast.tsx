// How many documents of a collection expire in each hour or day, and what another default would change.
import { useState } from 'preact/hooks';

import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection, Forecast } from '../../api/types';
import { ErrorNote } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { timeText } from '../../parts/time';
import { TtlField, type SpanValue } from '../../parts/ttl_field';
import { default_ttl_words } from './policy_members';
import { PreviewNote } from './preview';
import { countText, expireText, sentence } from './words';

const widths = {
  hour: { slots: 24, text: 'the next 24 hours' },
  day: { slots: 30, text: 'the next 30 days' },
};
type Width = keyof typeof widths;
type Slot = Forecast['slots'][number];

function Bar({ part }: { part: number }) {
  return <div class="slot" aria-hidden="true"><span style={{ width: `${Math.round(part * 100)}%` }} /></div>;
}

function columnsOf(most: number): Column<Slot>[] {
  return [
    { title: 'Until (UTC)', show: ({ until }) => <time dateTime={until}>{timeText(Date.parse(until))}</time> },
    {
      title: 'Expirations',
      isNumber: true,
      show: ({ deaths }) => `${deaths.exact ? '' : 'about '}${countText(deaths.documents)}`,
    },
    { title: 'Share', show: ({ deaths }) => <Bar part={most > 0 ? deaths.documents / most : 0} /> },
  ];
}

function SlotTable({ slots, text }: { slots: Slot[]; text: string }) {
  const counts = slots.map(({ deaths }) => deaths.documents);
  const total = { documents: counts.reduce((a, b) => a + b, 0), exact: slots.every(({ deaths }) => deaths.exact) };
  return (
    <>
      <p>{sentence(`${expireText(total)} within ${text}`)}</p>
      <Table label="Forecast" columns={columnsOf(Math.max(...counts))} rows={slots} keyOf={({ until }) => until} />
    </>
  );
}

function Slots({ database, collection }: { database: string; collection: string }) {
  const [width, setWidth] = useState<Width>('hour');
  const { slots, text } = widths[width];
  const { data, error } = useLoad(
    (signal) => get<Forecast>(pathOf(database, collection, 'forecast'), { query: { slot: width, slots }, signal }),
    [database, collection, width],
    10_000,
  );
  return (
    <div>
      <label class="bar">
        Expirations for each
        <select value={width} onChange={(event) => setWidth(event.currentTarget.value as Width)}>
          <option value="hour">hour</option>
          <option value="day">day</option>
        </select>
      </label>
      {error && <ErrorNote error={error} />}
      {data && <SlotTable slots={data.slots} text={text} />}
    </div>
  );
}

export function ForecastPreview({ database, collection }: { database: string; collection: Collection }) {
  const [ttl, setTtl] = useState<SpanValue | undefined>(collection.default_ttl);
  const place = { database, collection: collection.name };
  return (
    <>
      <Slots {...place} />
      <div>
        <h2>With another default TTL</h2>
        <TtlField
          label="Default TTL to try"
          initial={collection.default_ttl}
          words={default_ttl_words}
          onChange={setTtl}
          hint="This changes nothing. You change the default on the tab Policy."
        />
        {ttl !== undefined && ttl !== 'forever' && ttl !== collection.default_ttl && (
          <PreviewNote {...place} ttl={ttl} present={collection.default_ttl} />
        )}
      </div>
    </>
  );
}
