// Documents under hold, and the record of purges with its chain of hashes.
import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection } from '../../api/types';
import { segments } from '../../app/router';
import { ErrorNote } from '../../parts/notes';
import { Held } from './held';
import type { Place } from './hold';
import { Purges } from './purges';

function HoldsOf(place: Place) {
  const { database, collection } = place;
  const { data, error, isLoading } = useLoad(
    (signal) => get<Collection>(pathOf(database, collection), { signal }),
    [database, collection],
  );
  return (
    <>
      <Held place={place} />
      {error && <ErrorNote error={error} />}
      {!isLoading && <Purges place={place} policy={data} />}
    </>
  );
}

export function Holds() {
  const [, database, collection] = segments();
  if (database === undefined || collection === undefined) {
    return (
      <>
        <h1>Holds and purges</h1>
        <p class="hint">Choose a collection on the left to see its held documents and its record of purges.</p>
      </>
    );
  }
  return (
    <>
      <h1>Holds and purges of {collection}</h1>
      <HoldsOf key={`${database}/${collection}`} database={database} collection={collection} />
    </>
  );
}
