// A table of collections: what is in them, and what they keep.
import type { Collection } from '../../api/types';
import { addressOf, Link } from '../../app/router';
import { Table, type Column } from '../../parts/table';
import type { Structure } from './centrali';
import { LivingCount, NextExpiration } from './numbers';
import { keptText, ttlWords } from './words';

interface CollectionTableProps {
  database: string;
  collections: Collection[];
  structures: Map<string, Structure>;
  onDrop: (collection: string) => void;
}

function columnsOf({ database, structures, onDrop }: CollectionTableProps): Column<Collection>[] {
  const columns: Column<Collection>[] = [
    { title: 'Name', show: ({ name }) => <Link to={addressOf(['collections', database, name])}>{name}</Link> },
    { title: 'Documents', isNumber: true, show: ({ name }) => <LivingCount database={database} collection={name} /> },
    { title: 'Next expiration', show: ({ name }) => <NextExpiration database={database} collection={name} /> },
    { title: 'Default TTL', show: ttlWords },
    { title: 'History', show: ({ keep_history_for }) => keptText(keep_history_for) },
    { title: 'Trash', show: ({ keep_trash_for }) => keptText(keep_trash_for) },
    { title: 'Feed', show: ({ keep_feed_for }) => keptText(keep_feed_for) },
  ];
  if (structures.size > 0) {
    columns.push({ title: 'Created by', show: ({ name }) => (structures.has(name) ? 'Centrali' : '') });
  }
  columns.push({
    title: 'Actions',
    show: ({ name }) => (
      <button type="button" class="quiet" aria-label={`Drop ${name}`} onClick={() => onDrop(name)}>Drop</button>
    ),
  });
  return columns;
}

export function CollectionTable(props: CollectionTableProps) {
  return (
    <Table
      label={`Collections of ${props.database}`}
      columns={columnsOf(props)}
      rows={props.collections}
      keyOf={({ name }) => name}
    />
  );
}
