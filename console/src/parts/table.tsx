// A table whose rows are the server's; the columns say how each is shown.
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  title: string;
  show: (row: Row) => ComponentChildren;
  // The sort that a click on the title asks for, as the native API names the field.
  sort?: string;
  isNumber?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  sort?: string;  // `age` or `-age`
  onSort?: (sort: string) => void;
  onOpen?: (row: Row) => void;
  isOpen?: (row: Row) => boolean;
}

function SortButton({ column, sort, onSort }: { column: Column<never>; sort?: string; onSort?: (sort: string) => void }) {
  if (!column.sort || !onSort) return <>{column.title}</>;
  const isDown = sort === `-${column.sort}`;
  const mark = sort === column.sort ? ' ▲' : isDown ? ' ▼' : '';
  return (
    <button type="button" class="quiet" onClick={() => onSort(sort === column.sort ? `-${column.sort}` : column.sort!)}>
      {column.title}{mark}
    </button>
  );
}

function orderOf<Row>(column: Column<Row>, sort?: string) {
  if (!column.sort || !sort) return undefined;
  return sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : undefined;
}

export function Table<Row>({ label, columns, rows, keyOf, sort, onSort, onOpen, isOpen }: TableProps<Row>) {
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, number) => (
              <th key={`${number} ${column.title}`} scope="col" class={column.isNumber ? 'number' : undefined} aria-sort={orderOf(column, sort)}>
                <SortButton column={column as Column<never>} sort={sort} onSort={onSort} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-key={keyOf(row)}
              class={onOpen && 'can-open'}
              aria-selected={isOpen ? isOpen(row) : undefined}
              onClick={onOpen && (() => onOpen(row))}
            >
              {columns.map((column, number) => (
                <td key={`${number} ${column.title}`} class={column.isNumber ? 'number' : undefined}>{column.show(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
