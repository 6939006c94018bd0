// A document's id with its partition, if it has one.
import { textOf } from '../api/exact';
import type { Document } from '../api/types';

type Named = Pick<Document, 'id' | 'partition'>;

export function partitionOf({ partition }: Named): string | undefined {
  return partition && textOf(partition);
}

export function nameOf(row: Named): string {
  return row.partition ? `${row.id} ${partitionOf(row)}` : row.id;
}
