// The indexes of a collection.
import { useState } from 'preact/hooks';

import { call, get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { IndexField, IndexRow } from '../../api/types';
import { Confirm } from '../../parts/dialog';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';
import { useAction } from '../../parts/action';
import { NewIndex } from './new_index';

function fieldText({ path, expression, order, each }: IndexField): string {
  const words = [path ?? expression ?? '', each ? 'each item' : '', order === 'desc' ? 'descending' : ''];
  return words.filter(Boolean).join(' ');
}

function columnsOf(onDrop: (index: string) => void): Column<IndexRow>[] {
  return [
    { title: 'Name', show: ({ name }) => name },
    { title: 'Fields', show: ({ fields }) => <code>{fields.map(fieldText).join(', ')}</code> },
    { title: 'Unique', show: ({ unique }) => (unique ? 'yes' : 'no') },
    { title: 'State', show: ({ ready }) => (ready === false ? 'is being filled' : 'ready') },
    {
      title: 'Actions',
      show: ({ name }) => (
        <button type="button" class="quiet" aria-label={`Drop ${name}`} onClick={() => onDrop(name)}>Drop</button>
      ),
    },
  ];
}

function DropQuestion({ index, onConfirm, onClose }: { index: string; onConfirm: () => void; onClose: () => void }) {
  return (
    <Confirm title={`Drop the index ${index}?`} action="Drop" isDangerous onConfirm={onConfirm} onClose={onClose}>
      <p>Queries that use it scan the collection instead. If it is unique, equal values are accepted from then on.</p>
    </Confirm>
  );
}

export function Indexes({ database, collection }: { database: string; collection: string }) {
  const place = pathOf(database, collection, 'indexes');
  const { data, error, reload } = useLoad((signal) => get<{ indexes: IndexRow[] }>(place, { signal }), [place], 5_000);
  const [dropped, setDropped] = useState<string>();
  const action = useAction();
  const drop = (index: string) => {
    setDropped(undefined);
    action.run(async () => {
      await call('DELETE', pathOf(database, collection, 'indexes', index));
      reload();
    });
  };
  return (
    <>
      {error && <ErrorNote error={error} />}
      {action.error && <ErrorNote error={action.error} />}
      {data?.indexes.length === 0 && <Empty>This collection has no indexes: queries scan it.</Empty>}
      {data && data.indexes.length > 0 && (
        <Table label="Indexes" columns={columnsOf(setDropped)} rows={data.indexes} keyOf={({ name }) => name} />
      )}
      <NewIndex place={place} onCreated={reload} />
      {dropped !== undefined && (
        <DropQuestion index={dropped} onConfirm={() => drop(dropped)} onClose={() => setDropped(undefined)} />
      )}
    </>
  );
}
