// Asks before documents are erased from the trash, and erases them one after another.
import { useEffect, useRef, useState } from 'preact/hooks';

import { call, pathOf } from '../../api/client';
import { Dialog } from '../../parts/dialog';
import { ErrorNote } from '../../parts/notes';
import { nameOf, partitionOf } from '../../parts/names';
import { type Place, type TrashRow } from './row';

interface Failure {
  row: TrashRow;
  error: Error;
}

async function eraseOne(place: Place, row: TrashRow): Promise<void> {
  const path = pathOf(place.database, place.collection, 'trash', row.id);
  await call('DELETE', path, { query: { partition: partitionOf(row) } });
}

// Erases until `isOver`; the failures are of the documents that could not be erased.
async function eraseAll(
  place: Place,
  rows: TrashRow[],
  isOver: () => boolean,
  onErased: (count: number) => void,
): Promise<{ erased: number; failures: Failure[] }> {
  const failures: Failure[] = [];
  let erased = 0;
  for (const row of rows) {
    if (isOver()) break;
    try {
      await eraseOne(place, row);
      erased += 1;
      onErased(erased);
    } catch (error) {
      failures.push({ row, error: error as Error });
    }
  }
  return { erased, failures };
}

function titleOf(rows: TrashRow[]): string {
  return `Erase ${rows.length === 1 ? nameOf(rows[0]!) : `${rows.length} documents`} for good?`;
}

function Failures({ failures }: { failures: Failure[] }) {
  return (
    <>
      {failures.map(({ row, error }) => (
        <div key={nameOf(row)}><strong>{nameOf(row)}</strong><ErrorNote error={error} /></div>
      ))}
    </>
  );
}

interface EraseProps {
  place: Place;
  rows: TrashRow[];  // one of each name
  onDone: (message: string) => void;
  onClose: () => void;
}

export function Erase({ place, rows, onDone, onClose }: EraseProps) {
  const [count, setCount] = useState<number>();
  const [failures, setFailures] = useState<Failure[]>([]);
  const isClosed = useRef(false);
  useEffect(() => () => { isClosed.current = true; }, []);
  const left = failures.length > 0 ? failures.map(({ row }) => row) : rows;
  const start = async () => {
    setCount(0);
    const result = await eraseAll(place, left, () => isClosed.current, setCount);
    setFailures(result.failures);
    setCount(undefined);
    onDone(`Erased from the trash: ${result.erased}`);
    if (result.failures.length === 0 && !isClosed.current) onClose();
  };
  const isBusy = count !== undefined;
  return (
    <Dialog title={titleOf(left)} onClose={onClose}>
      <p>
        Everything in the trash with {left.length === 1 ? 'this id' : 'these ids'} is erased and cannot be restored.
      </p>
      <p class="hint">The history stays for as long as the policy says, so reads of earlier instants still find it.</p>
      {isBusy && <p>{count} of {left.length} are erased.</p>}
      <Failures failures={failures} />
      <div class="actions">
        <button type="button" onClick={onClose}>{isBusy ? 'Stop' : 'Cancel'}</button>
        <button type="button" class="danger" disabled={isBusy} onClick={start}>Erase</button>
      </div>
    </Dialog>
  );
}
