// What this page shows, as its address says: /documents/DATABASE/COLLECTION?filter=&sort=&as_of=&open=&partition=&new=
import { address, addressOf, segments } from '../../app/router';
import type { Key } from './types';

export interface Place {
  database: string;
  collection: string;
  filter?: string;
  sort?: string;
  asOf?: string;
  open?: string;
  partition?: string;
  isNew: boolean;
}

// Undefined without a collection.
export function placeOf(): Place | undefined {
  const [, database, collection] = segments();
  if (database === undefined || collection === undefined) return undefined;
  const { query } = address.value;
  const text = (name: string) => query.get(name) || undefined;
  return {
    database,
    collection,
    filter: text('filter'),
    sort: text('sort'),
    asOf: text('as_of'),
    open: text('open'),
    partition: text('partition'),
    isNew: query.get('new') === 'true',
  };
}

export function addressOfPlace(place: Place): string {
  const { database, collection, filter, sort, asOf, open, partition, isNew } = place;
  const query = { filter, sort, as_of: asOf, open, partition, new: isNew ? 'true' : undefined };
  return addressOf(['documents', database, collection], query);
}

export function keyOf({ database, collection, open, partition }: Place): Key | undefined {
  return open === undefined ? undefined : { database, collection, id: open, partition };
}

// Which list: another one begins at its first page.
export function listNameOf({ filter, sort, asOf }: Place): string {
  return JSON.stringify([filter, sort, asOf]);
}
