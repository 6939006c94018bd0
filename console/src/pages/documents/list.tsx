// The list of the documents: its filter, its table and its pages.
import { useEffect, useState } from 'preact/hooks';

import type { ApiError } from '../../api/client';
import type { Loaded } from '../../api/load';
import { Empty, ErrorNote } from '../../parts/notes';
import { Table } from '../../parts/table';
import { useAlive } from './alive';
import { columnsOf, FieldChoice, useFields } from './columns';
import type { List } from './list_data';
import type { Place } from './place';
import { textOf } from '../../api/exact';
import type { Row } from './types';

const no_rows: Row[] = [];

interface FilterBarProps {
  filter?: string;
  error?: ApiError;
  onFilter: (filter?: string) => void;
}

// The server's message shows the place of an error by a mark below it, so it keeps its lines.
export function FilterBar({ filter, error, onFilter }: FilterBarProps) {
  const [text, setText] = useState(filter ?? '');
  useEffect(() => setText(filter ?? ''), [filter]);
  const submit = (event: Event) => {
    event.preventDefault();
    onFilter(text.trim() || undefined);
  };
  return (
    <form class="filter" role="search" onSubmit={submit}>
      <div class="bar">
        <label class="filter-field">
          Filter{' '}
          <input
            class="mono"
            value={text}
            placeholder={'age >= 3 and status = "open"'}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={error !== undefined}
            aria-describedby={error && 'filter-error'}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Apply</button>
        {filter !== undefined && <button type="button" onClick={() => onFilter()}>Clear</button>}
      </div>
      {error && <pre id="filter-error" role="alert" class="error">{error.message}</pre>}
    </form>
  );
}

function CountText({ count, hasError }: { count: Loaded<number>; hasError: boolean }) {
  if (hasError) return null;
  if (count.error) return <span class="hint">Not counted: {count.error.message}</span>;
  if (count.data === undefined) return <span class="hint">Counting…</span>;
  return <span>{count.data.toLocaleString('en')} {count.data === 1 ? 'document' : 'documents'}</span>;
}

function Pages({ list, count }: { list: List; count: Loaded<number> }) {
  const hasNext = Boolean(list.data?.next) && !list.isOld;
  return (
    <nav class="bar" aria-label="Pages of the list">
      <button type="button" disabled={list.number === 1} onClick={list.showPrevious}>Previous</button>
      <span>Page {list.number}</span>
      <button type="button" disabled={!hasNext} onClick={list.showNext}>Next</button>
      <CountText count={count} hasError={list.error !== undefined} />
    </nav>
  );
}

// What failed, and how to go on. The errors of the filter and of the instant stand at their fields.
function ListError({ list, onSort }: { list: List; onSort: (sort?: string) => void }) {
  const { error } = list;
  if (!error || error.field === 'filter' || error.field === 'as_of') return null;
  return (
    <div class="bar">
      <ErrorNote error={error} />
      {error.field === 'sort' && <button type="button" onClick={() => onSort()}>Sort by id</button>}
      {error.field === 'page' && <button type="button" onClick={list.showFirst}>First page</button>}
    </div>
  );
}

function emptyText({ filter, asOf }: Place, number: number): string {
  if (number > 1) return 'There are no documents on this page any more.';
  if (filter !== undefined) return 'No document matches the filter.';
  return asOf === undefined ? 'There are no documents.' : 'There were no documents at that instant.';
}

export function rowKey({ id, partition }: Row): string {
  return JSON.stringify([id, partition && textOf(partition)]);
}

interface ListViewProps {
  place: Place;
  list: List;
  count: Loaded<number>;
  linkTo: (row: Row) => string;
  onOpen: (row: Row) => void;
  onSort: (sort?: string) => void;
}

export function ListView({ place, list, count, linkTo, onOpen, onSort }: ListViewProps) {
  const rows = useAlive(list.data?.documents ?? no_rows, place.asOf === undefined);
  const fields = useFields(rows);
  const isOpen = ({ id, partition }: Row) =>
    id === place.open && (place.partition === undefined || place.partition === (partition && textOf(partition)));
  return (
    <section aria-label="Documents" aria-busy={list.isOld} class={list.isOld ? 'old' : undefined}>
      <ListError list={list} onSort={onSort} />
      <FieldChoice fields={fields} />
      {rows.length > 0 && (
        <Table
          label={`Documents of ${place.collection}`}
          columns={columnsOf(fields.shown, place.asOf, linkTo, onOpen)}
          rows={rows}
          keyOf={rowKey}
          sort={place.sort}
          onSort={onSort}
          onOpen={onOpen}
          isOpen={isOpen}
        />
      )}
      {list.data && rows.length === 0 && <Empty>{emptyText(place, list.number)}</Empty>}
      {!list.data && list.isLoading && <Empty>Loading…</Empty>}
      <Pages list={list} count={count} />
    </section>
  );
}
