// The databases, each with its collections.
import { useState } from 'preact/hooks';

import { get } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Database } from '../../api/types';
import { address, addressOf, Link, navigate, segments } from '../../app/router';
import { Empty, ErrorNote } from '../../parts/notes';
import { NewDatabase } from './create';
import { DatabaseSection } from './database';

const opened_max = 8;  // with more databases, all begin closed

function showsStructures(): boolean {
  return address.value.query.get('show') === 'structures';
}

function Filter() {
  const [, ...place] = segments();
  const isOn = showsStructures();
  return (
    <nav class="choices" aria-label="Which collections">
      <Link to={addressOf(['collections', ...place])} aria-current={isOn ? undefined : 'true'}>All</Link>
      <Link to={addressOf(['collections', ...place], { show: 'structures' })} aria-current={isOn ? 'true' : undefined}>
        Structures
      </Link>
      {isOn && <span class="hint">A structure is a collection that the Centrali API created.</span>}
    </nav>
  );
}

export function AllDatabases() {
  const { data, error, reload } = useLoad(
    (signal) => get<{ databases: Database[] }>('/v1/databases', { signal }),
    [],
    10_000,
  );
  const [isCreating, setIsCreating] = useState(false);
  const databases = data?.databases ?? [];
  return (
    <>
      <h1>Collections</h1>
      <div class="bar">
        <Filter />
        <button type="button" onClick={() => setIsCreating(true)}>New database</button>
      </div>
      {error && <ErrorNote error={error} />}
      {data && databases.length === 0 && <Empty>There are no databases yet. Create the first.</Empty>}
      {databases.map(({ name }) => (
        <DatabaseSection
          key={name}
          database={name}
          beginsOpen={databases.length <= opened_max}
          onlyStructures={showsStructures()}
          onDropped={reload}
        />
      ))}
      {isCreating && <NewDatabase onClose={() => setIsCreating(false)} />}
    </>
  );
}

export function OneDatabase({ database }: { database: string }) {
  return (
    <>
      <p class="hint"><Link to={addressOf(['collections'])}>Collections</Link></p>
      <h1>Collections of {database}</h1>
      <div class="bar"><Filter /></div>
      <DatabaseSection
        database={database}
        beginsOpen
        onlyStructures={showsStructures()}
        onDropped={() => navigate(addressOf(['collections']))}
      />
    </>
  );
}
