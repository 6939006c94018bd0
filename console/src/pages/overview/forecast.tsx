// A chart of what expires when, over all collections.
import { useMemo, useState } from 'preact/hooks';

import { useLoad } from '../../api/load';
import { Chart } from '../../parts/chart';
import { Empty } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { timeText } from '../../parts/time';
import { PartError } from './part-error';
import { compactText, countText, manyText } from './text';
import { readUpcoming, slot_rows, type SlotRow, type Upcoming } from './upcoming';

const read_every = 10_000;
const mark_steps = [1, 2, 3, 6, 12, 24, 48];

interface Slot {
  start: number;
  documents: number;
}

const minuteText = (millis: number) => timeText(millis).slice(0, 16);
const slotText = (start: number, { millis }: SlotRow) => `${minuteText(start)} to ${minuteText(start + millis)}`;

function sentenceOf({ row, documents, starts, isExact }: Upcoming): string {
  const sum = documents.reduce((all, one) => all + one, 0);
  const span = `within the next ${manyText(row.count, row.slot)}`;
  if (sum === 0) return `No document expires ${span}.`;
  const most = Math.max(...documents);
  const peak = slotText(starts[documents.indexOf(most)] ?? 0, row);
  return `${isExact ? '' : 'About '}${manyText(sum, 'document')} ${sum === 1 ? 'expires' : 'expire'} ${span},`
    + ` the most (${countText(most)}) from ${peak} (UTC).`;
}

function Shortfall({ shown, total, failure }: Upcoming) {
  return (
    <>
      {shown < total && <p class="soon">This counts only {countText(shown)} of {manyText(total, 'collection')}.</p>}
      <PartError error={failure} />
    </>
  );
}

function SlotTable({ upcoming }: { upcoming: Upcoming }) {
  const columns: Column<Slot>[] = [
    { title: 'Time (UTC)', show: ({ start }) => slotText(start, upcoming.row) },
    { title: 'Documents', isNumber: true, show: ({ documents }) => countText(documents) },
  ];
  const rows = upcoming.starts.map((start, index) => ({ start, documents: upcoming.documents[index] ?? 0 }));
  return (
    <details>
      <summary>As a table</summary>
      <Table label="Expirations to come" columns={columns} rows={rows} keyOf={({ start }) => String(start)} />
    </details>
  );
}

function UpcomingChart({ upcoming }: { upcoming: Upcoming }) {
  const { row, starts, documents } = upcoming;
  const xs = useMemo(() => documents.map((_, index) => index), [documents]);
  const textOf = (index: number) => slotText(starts[index] ?? 0, row);
  return (
    <Chart
      label={`Documents that expire, by ${row.slot}`}
      kind="bars"
      xs={xs}
      ys={documents}
      xRange={[-0.5, documents.length - 0.5]}
      xSteps={mark_steps}
      xMark={(index) => (starts[index] === undefined ? '' : timeText(starts[index]).slice(...row.mark))}
      yMark={compactText}
      describe={(index) => `${textOf(index)}: ${manyText(documents[index] ?? 0, 'document')}`}
    >
      <p>{sentenceOf(upcoming)}</p>
      <Shortfall {...upcoming} />
      <SlotTable upcoming={upcoming} />
    </Chart>
  );
}

function SlotChoice({ row, onChange }: { row: SlotRow; onChange: (row: SlotRow) => void }) {
  return (
    <label>
      For each
      <select value={row.slot} onChange={(event) => onChange(slot_rows[event.currentTarget.selectedIndex] ?? row)}>
        {slot_rows.map(({ slot }) => <option key={slot} value={slot}>{slot}</option>)}
      </select>
    </label>
  );
}

export function ForecastChart() {
  const [row, setRow] = useState<SlotRow>(slot_rows[0]!);
  const { data, error, isLoading } = useLoad((signal) => readUpcoming(row, signal), [row], read_every);
  return (
    <section aria-labelledby="upcoming">
      <h2 id="upcoming">What expires when</h2>
      <div class="bar"><SlotChoice row={row} onChange={setRow} /></div>
      <PartError error={error} />
      {data && data.documents.length > 0 && <UpcomingChart upcoming={data} />}
      {data && data.documents.length === 0 && <Empty>There is no collection yet.</Empty>}
      {!data && isLoading && <p class="chart-area hint">Reading…</p>}
    </section>
  );
}
