// The columns of the trash.
import { indented, textOf } from '../../api/exact';
import type { Policy } from '../../api/types';
import type { Column } from '../../parts/table';
import { timeText } from '../../parts/time';
import { Leaves } from './leaves';
import { nameOf } from '../../parts/names';
import { lastOfEachName, type TrashRow } from './row';

interface ColumnsOptions {
  rows: TrashRow[];
  selected: TrashRow[];
  policy?: Policy;
  onSelect: (rows: TrashRow[]) => void;
  onRestore: (row: TrashRow) => void;
  onErase: (row: TrashRow) => void;
}

function selectColumn({ selected, onSelect }: ColumnsOptions): Column<TrashRow> {
  const toggle = (row: TrashRow, isSelected: boolean) =>
    onSelect(isSelected ? [...selected, row] : selected.filter((other) => other !== row));
  return {
    title: 'Select',
    show: (row) => (
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(row)}`}
        checked={selected.includes(row)}
        onChange={(event) => toggle(row, event.currentTarget.checked)}
      />
    ),
  };
}

function actionsColumn({ rows, onRestore, onErase }: ColumnsOptions): Column<TrashRow> {
  const last = new Set(lastOfEachName(rows));
  return {
    title: 'Actions',
    show: (row) => (
      <>
        <button
          type="button"
          aria-label={`Restore ${nameOf(row)}`}
          disabled={!last.has(row)}
          title={last.has(row) ? undefined : 'A document with this id was removed later, and is restored first.'}
          onClick={() => onRestore(row)}
        >
          Restore…
        </button>{' '}
        <button type="button" class="danger" aria-label={`Erase ${nameOf(row)}`} onClick={() => onErase(row)}>
          Erase…
        </button>
      </>
    ),
  };
}

function Data({ row }: { row: TrashRow }) {
  return (
    <details>
      <summary>Show</summary>
      <pre>{indented(textOf(row.data))}</pre>
    </details>
  );
}

export function columnsOf(options: ColumnsOptions): Column<TrashRow>[] {
  return [
    selectColumn(options),
    { title: 'Id', show: nameOf },
    {
      title: 'Removed',
      show: ({ removed_at }) => (
        <time dateTime={removed_at} title={removed_at}>{timeText(Date.parse(removed_at))}</time>
      ),
    },
    { title: 'How', show: (row) => (row.expired ? 'expired' : 'removed') },
    { title: 'Leaves the trash in', show: (row) => <Leaves row={row} policy={options.policy} /> },
    { title: 'Last author', show: (row) => row.updater },
    { title: 'Data', show: (row) => <Data row={row} /> },
    actionsColumn(options),
  ];
}
