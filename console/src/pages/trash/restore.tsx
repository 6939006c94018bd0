// Asks for the lifetime with which a document is restored, and restores it.
import { useState } from 'preact/hooks';

import { pathOf, post } from '../../api/client';
import type { Policy } from '../../api/types';
import { Dialog } from '../../parts/dialog';
import { keep, LifetimeField, lifetimeProblem, lifetimeQuery, type Lifetime } from '../../parts/lifetime_field';
import { ErrorNote } from '../../parts/notes';
import { useAction } from '../../parts/action';
import { nameOf, partitionOf } from '../../parts/names';
import { type Place, type TrashRow } from './row';

interface RestoreProps {
  place: Place;
  policy?: Policy;
  row: TrashRow;
  onDone: (message: string) => void;
  onClose: () => void;
}

export function Restore({ place, policy, row, onDone, onClose }: RestoreProps) {
  const [lifetime, setLifetime] = useState<Lifetime>(keep);
  const { error, isBusy, run } = useAction();
  const keepTitle = row.expired ? 'That of a new document' : 'Its own';
  const restore = (event: Event) => {
    event.preventDefault();
    const path = pathOf(place.database, place.collection, 'trash', row.id, 'restore');
    const query = { ...lifetimeQuery(lifetime), partition: partitionOf(row) };
    void run(async () => {
      await post(path, undefined, { query });
      onDone(`${nameOf(row)} is restored.`);
    });
  };
  return (
    <Dialog title={`Restore ${nameOf(row)}`} onClose={onClose}>
      <form onSubmit={restore}>
        <p>If the trash has several documents with this id, the one that was removed last is restored.</p>
        {policy?.writers_may_set_ttl === false
          ? <p class="hint">The policy of the collection does not let writers set a lifetime.</p>
          : <LifetimeField value={lifetime} onChange={setLifetime} keepTitle={keepTitle} />}
        {error && <ErrorNote error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="main" disabled={isBusy || lifetimeProblem(lifetime) !== undefined}>
            Restore
          </button>
        </div>
      </form>
    </Dialog>
  );
}
