// The columns of the table: metadata, and some fields of the documents.
import { useRef, useState } from 'preact/hooks';

import { Countdown } from '../../parts/countdown';
import type { Column } from '../../parts/table';
import { spanText, timeText } from '../../parts/time';
import { ExactNumber, textOf } from '../../api/exact';
import type { Row } from './types';

const shown_at_first = 4;
const cell_max = 60;
const metadata_titles = ['Id', 'Written', 'Lifetime'];

// The members of these documents, the most frequent first. An `id` that repeats the id of the document is none.
function fieldsOf(rows: Row[]): string[] {
  const counts = new Map<string, number>();
  for (const { id, data } of rows) {
    for (const [name, value] of Object.entries(data)) {
      if (name !== 'id' || value !== id) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

export interface Fields {
  all: string[];
  shown: string[];
  choose: (shown: string[]) => void;
}

// What is shown is chosen from the first page that has documents; later only the user changes it.
export function useFields(rows: Row[]): Fields {
  const [chosen, choose] = useState<string[]>();
  const first = useRef<string[]>([]);
  const all = fieldsOf(rows);
  if (first.current.length === 0) first.current = all.slice(0, shown_at_first);
  const shown = chosen ?? first.current;
  return { all: [...new Set([...shown, ...all])], shown, choose };
}

const choices_max = 100;

export function FieldChoice({ fields }: { fields: Fields }) {
  const { all, shown, choose } = fields;
  const change = (name: string, isShown: boolean) =>
    choose(isShown ? [...shown, name] : shown.filter((other) => other !== name));
  if (all.length === 0) return null;
  return (
    <details class="field-choice">
      <summary>Columns</summary>
      <div class="bar">
        {all.slice(0, choices_max).map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={shown.includes(name)}
              onChange={(event) => change(name, event.currentTarget.checked)}
            />
            {name}
          </label>
        ))}
        {all.length > choices_max && <span class="hint">and {all.length - choices_max} more</span>}
      </div>
    </details>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === undefined) return null;
  if (typeof value === 'string') return <>{value.length > cell_max ? `${value.slice(0, cell_max)}…` : value}</>;
  if (typeof value === 'number' || value instanceof ExactNumber) return <span class="number">{textOf(value)}</span>;
  return <code>{textOf(value, cell_max)}</code>;
}

// How long a document still lives: from now on, or from the instant that the page shows.
export function Rest({ row, asOf }: { row: Row; asOf?: string }) {
  if (row.hold) return <span title={row.hold.reason || undefined}>held</span>;
  if (row.expires_at === null || asOf === undefined) return <Countdown end={row.expires_at} />;
  const end = Date.parse(row.expires_at);
  return <time dateTime={row.expires_at} title={timeText(end, 'millis')}>{spanText(end - Date.parse(asOf))}</time>;
}

// The field as a sort names it; undefined if a sort cannot name it.
function sortOf(name: string): string | undefined {
  if (/^[A-Za-z0-9_$\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff-]*$/.test(name)) return name;
  return name === '' || name.includes(',') ? undefined : `.[${JSON.stringify(name)}]`;
}

function fieldColumn(name: string): Column<Row> {
  const title = metadata_titles.includes(name) ? `.${name}` : name;
  return { title, sort: sortOf(name), show: (row) => <Cell value={Object.hasOwn(row.data, name) ? row.data[name] : undefined} /> };
}

interface OpenLinkProps {
  row: Row;
  to: string;
  onOpen: (row: Row) => void;
}

// The row opens by a click; the link is for the keyboard and for another tab.
function OpenLink({ row, to, onOpen }: OpenLinkProps) {
  const open = (event: MouseEvent) => {
    event.stopPropagation();
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(row);
  };
  const partition = row.partition && <span class="hint"> {textOf(row.partition, cell_max)}</span>;
  return <><a href={to} onClick={open}>{row.id}</a>{partition}</>;
}

export function columnsOf(
  shown: string[], asOf: string | undefined, linkTo: (row: Row) => string, onOpen: (row: Row) => void,
): Column<Row>[] {
  return [
    { title: 'Id', sort: '@id', show: (row) => <OpenLink row={row} to={linkTo(row)} onOpen={onOpen} /> },
    ...shown.map(fieldColumn),
    { title: 'Written', sort: '@written_at', show: ({ written_at }) => (
      <time dateTime={written_at}>{timeText(Date.parse(written_at))}</time>
    ) },
    { title: 'Lifetime', sort: '@expires_at', show: (row) => <Rest row={row} asOf={asOf} /> },
  ];
}
