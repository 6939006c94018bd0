// A page of the trash, the oldest removal first, and what the user has selected of it.
import { useState } from 'preact/hooks';

import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Policy } from '../../api/types';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table } from '../../parts/table';
import { columnsOf } from './columns';
import { Erase } from './erase';
import { PagerBar, usePager } from '../../parts/pager';
import { Restore } from './restore';
import { keyOf, lastOfEachName, type Place, type TrashPage, type TrashRow } from './row';

const read_every = 2_000;

interface SelectionBarProps {
  rows: TrashRow[];
  selected: TrashRow[];
  onSelect: (rows: TrashRow[]) => void;
  onErase: () => void;
}

function SelectionBar({ rows, selected, onSelect, onErase }: SelectionBarProps) {
  return (
    <div class="bar">
      <label>
        <input
          type="checkbox"
          checked={selected.length === rows.length}
          onChange={(event) => onSelect(event.currentTarget.checked ? rows : [])}
        />
        Select the whole page
      </label>
      <button type="button" class="danger" disabled={selected.length === 0} onClick={onErase}>
        Erase the selected ones…
      </button>
      <span class="hint">{selected.length} selected</span>
    </div>
  );
}

interface DialogsProps {
  place: Place;
  policy?: Policy;
  restoring?: TrashRow;
  erasing?: TrashRow[];
  onDone: (message: string) => void;
  onClose: () => void;
}

function Dialogs({ place, policy, restoring, erasing, onDone, onClose }: DialogsProps) {
  const finish = (message: string) => {
    onDone(message);
    onClose();
  };
  return (
    <>
      {restoring && <Restore place={place} policy={policy} row={restoring} onDone={finish} onClose={onClose} />}
      {erasing && <Erase place={place} rows={lastOfEachName(erasing)} onDone={onDone} onClose={onClose} />}
    </>
  );
}

// Rows that the user has selected; those that have left the page do not count.
function useSelection(rows: TrashRow[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const select = (chosen: TrashRow[]) => setKeys(new Set(chosen.map(keyOf)));
  return { selected: rows.filter((row) => keys.has(keyOf(row))), select };
}

interface PageProps {
  place: Place;
  policy?: Policy;
  rows: TrashRow[];
  onChange: () => void;
}

// The rows with what can be done with them.
function Rows({ place, policy, rows, onChange }: PageProps) {
  const [asking, setAsking] = useState<{ restoring?: TrashRow; erasing?: TrashRow[] }>({});
  const [message, setMessage] = useState('');
  const { selected, select } = useSelection(rows);
  const columns = columnsOf({
    rows,
    selected,
    policy,
    onSelect: select,
    onRestore: (row) => setAsking({ restoring: row }),
    onErase: (row) => setAsking({ erasing: [row] }),
  });
  const finish = (text: string) => {
    setMessage(text);
    onChange();
  };
  return (
    <>
      <p role="status">{message}</p>
      {rows.length > 0 && (
        <>
          <SelectionBar
            rows={rows}
            selected={selected}
            onSelect={select}
            onErase={() => setAsking({ erasing: selected })}
          />
          <Table label="Documents in the trash" columns={columns} rows={rows} keyOf={keyOf} />
        </>
      )}
      <Dialogs place={place} policy={policy} {...asking} onDone={finish} onClose={() => setAsking({})} />
    </>
  );
}

export function TrashList({ place, policy }: { place: Place; policy?: Policy }) {
  const path = pathOf(place.database, place.collection, 'trash');
  const pager = usePager();
  const { data, error, reload } = useLoad(
    (signal) => get<TrashPage>(path, { query: { page: pager.page }, signal }),
    [path, pager.page],
    read_every,
  );
  const rows = data?.documents ?? [];
  const isEmpty = data !== undefined && rows.length === 0 && policy?.keep_trash_for !== 0;
  return (
    <>
      {error && <ErrorNote error={error} />}
      <Rows place={place} policy={policy} rows={rows} onChange={reload} />
      {isEmpty && <Empty>There are no documents in the trash here.</Empty>}
      <PagerBar pager={pager} next={data?.next} />
    </>
  );
}
