// One database: its collections, and what can be done with it.
import { useState } from 'preact/hooks';

import { call, get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection } from '../../api/types';
import { addressOf, Link, segments } from '../../app/router';
import { Empty, ErrorNote } from '../../parts/notes';
import { loadStructures, type Structure } from './centrali';
import { CollectionTable } from './collection_table';
import { NewCollection } from './create';
import { DropDialog } from './drop';

interface SectionProps {
  database: string;
  beginsOpen: boolean;
  onlyStructures: boolean;
  onDropped: () => void;
}

export function DatabaseSection({ database, beginsOpen, onlyStructures, onDropped }: SectionProps) {
  const [isOpen, setIsOpen] = useState(beginsOpen);
  const [dialog, setDialog] = useState<'create' | 'drop'>();
  const close = () => setDialog(undefined);
  const drop = async () => {
    await call('DELETE', pathOf(database));
    close();
    onDropped();
  };
  return (
    <details class="database" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary><h2>{database}</h2></summary>
      <div class="bar">
        {segments()[1] !== database && <Link to={addressOf(['collections', database])}>Only this database</Link>}
        <button type="button" onClick={() => setDialog('create')}>New collection</button>
        <button type="button" class="danger" onClick={() => setDialog('drop')}>Drop the database</button>
      </div>
      {isOpen && <CollectionsOf database={database} onlyStructures={onlyStructures} />}
      {dialog === 'create' && <NewCollection database={database} onClose={close} />}
      {dialog === 'drop' && (
        <DropDialog title={`Drop the database ${database}?`} name={database} onDrop={drop} onClose={close}>
          <p>All its collections and documents are dropped with it. They cannot be restored.</p>
        </DropDialog>
      )}
    </details>
  );
}

const noStructures = new Map<string, Structure>();

function CollectionsOf({ database, onlyStructures }: { database: string; onlyStructures: boolean }) {
  const { data, error, reload } = useLoad(
    (signal) => get<{ collections: Collection[] }>(pathOf(database) + '/collections', { signal }),
    [database],
    10_000,
  );
  const count = data?.collections.length;
  const structures = useLoad(
    (signal) => (count === undefined ? Promise.resolve(undefined) : loadStructures(database, signal)),
    [database, count],
  );
  const [dropped, setDropped] = useState<string>();
  const shown = (data?.collections ?? []).filter(({ name }) => !onlyStructures || structures.data?.has(name));
  const known = structures.data ?? noStructures;
  return (
    <>
      {error && <ErrorNote error={error} />}
      {onlyStructures && structures.error && <ErrorNote error={structures.error} />}
      {data && shown.length === 0 && <None onlyStructures={onlyStructures} isKnown={structures.data !== undefined} />}
      {shown.length > 0 && (
        <CollectionTable database={database} collections={shown} structures={known} onDrop={setDropped} />
      )}
      {dropped !== undefined && (
        <DropCollection
          database={database}
          collection={dropped}
          onDropped={reload}
          onClose={() => setDropped(undefined)}
        />
      )}
    </>
  );
}

interface DropCollectionProps {
  database: string;
  collection: string;
  onDropped: () => void;
  onClose: () => void;
}

function DropCollection({ database, collection, onDropped, onClose }: DropCollectionProps) {
  const drop = async () => {
    await call('DELETE', pathOf(database, collection));
    onClose();
    onDropped();
  };
  return (
    <DropDialog title={`Drop the collection ${collection}?`} name={collection} onDrop={drop} onClose={onClose}>
      <p>All its documents, their history and its trash are dropped with it. They cannot be restored.</p>
    </DropDialog>
  );
}

function None({ onlyStructures, isKnown }: { onlyStructures: boolean; isKnown: boolean }) {
  if (!onlyStructures) return <Empty>This database has no collections yet.</Empty>;
  return isKnown ? <Empty>This database has no structures.</Empty> : null;
}
