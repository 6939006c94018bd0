// The databases and their collections.
import { useState } from 'preact/hooks';

import { get, pathOf } from '../api/client';
import { useLoad } from '../api/load';
import type { Collection, Database } from '../api/types';
import { ErrorNote } from '../parts/notes';
import { addressOf, Link, segments } from './router';
import { pages } from './pages';

function Branch({ database }: { database: string }) {
  const [first, openDatabase, openCollection] = segments();
  const [isOpen, setIsOpen] = useState(database === openDatabase);
  const { data, error } = useLoad(
    (signal) => (isOpen ? get<{ collections: Collection[] }>(pathOf(database) + '/collections', { signal }) : Promise.resolve(undefined)),
    [database, isOpen],
    10_000,
  );
  const page = pages.find((row) => row.segment === first && row.about === 'collection')?.segment ?? 'documents';
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{database}</summary>
      {error && <ErrorNote error={error} />}
      <ul>
        {data?.collections.map(({ name }) => (
          <li key={name}>
            <Link
              to={addressOf([page, database, name])}
              aria-current={database === openDatabase && name === openCollection ? 'true' : undefined}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function Tree() {
  const { data, error } = useLoad((signal) => get<{ databases: Database[] }>('/v1/databases', { signal }), [], 10_000);
  return (
    <nav aria-label="Collections" class="tree">
      {error && <ErrorNote error={error} />}
      {data?.databases.map(({ name }) => <Branch key={name} database={name} />)}
      {data?.databases.length === 0 && <p class="hint">There are no databases yet.</p>}
    </nav>
  );
}
