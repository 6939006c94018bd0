// What expires when: the forecasts of many collections, added up.
import { ApiError, get, pathOf } from '../../api/client';
import type { Database, Collection, Forecast } from '../../api/types';
import { mapConcurrently, type Outcome } from './concurrency';

export interface SlotRow {
  slot: 'hour' | 'day';
  millis: number;
  count: number;
  // The part of `2027-01-15 08:00:00` that names a slot on the axis.
  mark: [from: number, to: number];
}

export const slot_rows: SlotRow[] = [
  { slot: 'hour', millis: 3_600_000, count: 48, mark: [11, 16] },
  { slot: 'day', millis: 86_400_000, count: 60, mark: [5, 10] },
];

export interface Upcoming {
  row: SlotRow;
  starts: number[];  // of the slots, in milliseconds since 1970
  documents: number[];
  isExact: boolean;
  shown: number;  // collections
  total: number;
  failure?: Error;  // of the collections that are missing in the sum
}

const collections_max = 50;
const concurrency = 6;

interface Place {
  database: string;
  collection: string;
}

// What has been dropped meanwhile is not missing.
const isGone = ({ error }: Outcome<unknown>) => error instanceof ApiError && error.code === 'not_found';

const countOf = (database: Database) => Number(database.collections ?? 0);

// The first databases that together have as many collections as the page reads.
function firstOf(databases: Database[]): Database[] {
  let before = 0;
  return databases.filter((database) => {
    const isRead = before < collections_max && countOf(database) > 0;
    before += countOf(database);
    return isRead;
  });
}

async function readPlaces(databases: Database[], signal: AbortSignal): Promise<Outcome<Place[]>[]> {
  return mapConcurrently(firstOf(databases), concurrency, async ({ name }) => {
    const { collections } = await get<{ collections: Collection[] }>(`${pathOf(name)}/collections`, { signal });
    return collections.map((collection) => ({ database: name, collection: collection.name }));
  });
}

function readForecasts(places: Place[], row: SlotRow, signal: AbortSignal): Promise<Outcome<Forecast>[]> {
  const query = { slot: row.slot, slots: row.count };
  return mapConcurrently(places, concurrency, ({ database, collection }) =>
    get<Forecast>(pathOf(database, collection, 'forecast'), { query, signal }));
}

// The clocks of the answers differ by milliseconds, so the slots of the first stand for all.
function sumOf(forecasts: Forecast[], row: SlotRow): Pick<Upcoming, 'starts' | 'documents' | 'isExact'> {
  const slots = forecasts[0]?.slots ?? [];
  return {
    starts: slots.map(({ until }) => Date.parse(until) - row.millis),
    documents: slots.map((_, index) =>
      forecasts.reduce((sum, forecast) => sum + (forecast.slots[index]?.deaths.documents ?? 0), 0)),
    isExact: forecasts.every((forecast) => forecast.slots.every(({ deaths }) => deaths.exact)),
  };
}

// Fails only if there is nothing to show.
export async function readUpcoming(row: SlotRow, signal: AbortSignal): Promise<Upcoming> {
  const { databases } = await get<{ databases: Database[] }>('/v1/databases', { signal });
  const lists = await readPlaces(databases, signal);
  const places = lists.flatMap(({ value }) => value ?? []).slice(0, collections_max);
  const outcomes = await readForecasts(places, row, signal);
  const forecasts = outcomes.flatMap(({ value }) => value ?? []);
  const failure = [...lists, ...outcomes].find((outcome) => outcome.error && !isGone(outcome))?.error;
  if (failure && forecasts.length === 0) throw failure;
  const total = databases.reduce((sum, database) => sum + countOf(database), 0);
  return { row, ...sumOf(forecasts, row), shown: forecasts.length, total, failure };
}
