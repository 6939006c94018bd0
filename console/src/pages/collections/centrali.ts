// Structures: collections that were created by the Centrali API, which is at the same port.
//
// The native API does not show which API created a collection, so this is the one place where the
// console asks another. That one lists all collections of a database as structures.
import { ApiError, headersWithKey, urlOf } from '../../api/client';

export interface Structure {
  id: string;
  recordSlug: string;  // the name of the collection
  name: string;
  createdBy: string | null;
  properties: unknown[];
}

interface Page {
  data: Structure[];
  meta: { hasMore: boolean };
}

const page_size = 1_000;

async function errorOf(response: Response): Promise<ApiError> {
  const { code, message } = (await response.json()) as { code: string; message: string };
  return new ApiError(response.status, code, `The Centrali API answers: ${message}`);
}

// Not fetchAnswer(): a refusal here does not mean that the native API needs another key. A server
// without keys accepts any bearer, but requires one.
async function fetchStructures(database: string, page: number, signal: AbortSignal): Promise<Page> {
  const path = `/data/workspace/${encodeURIComponent(database)}/api/v1/structures`;
  const headers = headersWithKey({ Authorization: 'Bearer console' });
  const response = await fetch(urlOf(path, { page, pageSize: page_size }), { headers, signal, cache: 'no-store' });
  if (response.status === 404) return { data: [], meta: { hasMore: false } };  // the API is not served here
  if (!response.ok) throw await errorOf(response);
  return response.json() as Promise<Page>;
}

// A collection of another API has this id, its own name, no author and no properties.
function isOwn({ id, recordSlug, name, createdBy, properties }: Structure): boolean {
  return id !== `str_${recordSlug}` || name !== recordSlug || createdBy !== null || properties.length > 0;
}

// By the name of the collection.
export async function loadStructures(database: string, signal: AbortSignal): Promise<Map<string, Structure>> {
  const structures = new Map<string, Structure>();
  let page = 1;
  for (let hasMore = true; hasMore; page += 1) {
    const { data, meta } = await fetchStructures(database, page, signal);
    for (const structure of data.filter(isOwn)) structures.set(structure.recordSlug, structure);
    hasMore = meta.hasMore;
  }
  return structures;
}
