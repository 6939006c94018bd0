// Removed documents of a collection: restore them or erase them for good.
import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection } from '../../api/types';
import { addressOf, Link, segments } from '../../app/router';
import { Empty, ErrorNote } from '../../parts/notes';
import { ttlText } from '../../parts/time';
import { TrashList } from './list';
import type { Place } from './row';

function WithoutTrash({ database, collection }: Place) {
  return (
    <Empty>
      This collection keeps no trash (<code>keep_trash_for</code> is 0), so a removal is final.{' '}
      <Link to={addressOf(['collections', database, collection])}>Set it in the policy</Link> to keep documents that
      are removed from then on.
    </Empty>
  );
}

function KeptFor({ policy }: { policy: Collection }) {
  const keptFor = policy.keep_trash_for === 'forever' ? 'until it is erased' : `for ${ttlText(policy.keep_trash_for)}`;
  return (
    <p class="hint">
      A removed document is kept {keptFor}, unless its own lifetime ends before. An expired document{' '}
      {policy.expire_to_trash ? 'goes to the trash, too.' : 'does not go to the trash.'}
    </p>
  );
}

function TrashOf(place: Place) {
  const { database, collection } = place;
  const { data, error } = useLoad(
    (signal) => get<Collection>(pathOf(database, collection), { signal }),
    [database, collection],
  );
  const hasTrash = data !== undefined && data.keep_trash_for !== 0;
  return (
    <>
      {error && <ErrorNote error={error} />}
      {data?.keep_trash_for === 0 && <WithoutTrash {...place} />}
      {hasTrash && <KeptFor policy={data} />}
      <TrashList place={place} policy={data} />
    </>
  );
}

export function Trash() {
  const [, database, collection] = segments();
  if (database === undefined || collection === undefined) {
    return (
      <>
        <h1>Trash</h1>
        <p class="hint">Choose a collection on the left to see its removed documents.</p>
      </>
    );
  }
  return (
    <>
      <h1>Trash of {collection}</h1>
      <TrashOf key={`${database}/${collection}`} database={database} collection={collection} />
    </>
  );
}
