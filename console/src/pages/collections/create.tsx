// New databases and collections.
import { useState } from 'preact/hooks';

import { pathOf, post } from '../../api/client';
import type { Collection, Database } from '../../api/types';
import { addressOf, navigate } from '../../app/router';
import { Dialog } from '../../parts/dialog';
import { TtlField, type SpanValue } from '../../parts/ttl_field';
import { useAction, type Action } from '../../parts/action';
import { ErrorNote } from '../../parts/notes';
import { isAbout, messageAt } from './refused';
import { NameField } from './name_field';
import { default_ttl_words } from './policy_members';

function Buttons({ action, isReady, onClose }: { action: Action; isReady: boolean; onClose: () => void }) {
  return (
    <div class="actions">
      <button type="button" onClick={onClose}>Cancel</button>
      <button type="submit" class="main" disabled={action.isBusy || !isReady}>Create</button>
    </div>
  );
}

export function NewDatabase({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const action = useAction();
  const create = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      await post<Database>('/v1/databases', { name });
      navigate(addressOf(['collections', name]));
    });
  };
  return (
    <Dialog title="New database" onClose={onClose}>
      <form onSubmit={create}>
        <NameField label="Name" value={name} onChange={setName} error={messageAt(action.error, 'name')} />
        {action.error && !isAbout(action.error, 'name') && <ErrorNote error={action.error} />}
        <Buttons action={action} isReady={name !== ''} onClose={onClose} />
      </form>
    </Dialog>
  );
}

export function NewCollection({ database, onClose }: { database: string; onClose: () => void }) {
  const [name, setName] = useState('');
  const [ttl, setTtl] = useState<SpanValue | undefined>(null);
  const action = useAction();
  const { error } = action;
  const create = (event: Event) => {
    event.preventDefault();
    action.run(async () => {
      await post<Collection>(pathOf(database) + '/collections', { name, default_ttl: ttl });
      navigate(addressOf(['collections', database, name]));
    });
  };
  return (
    <Dialog title={`New collection in ${database}`} onClose={onClose}>
      <form onSubmit={create} noValidate>
        <NameField label="Name" value={name} onChange={setName} error={messageAt(error, 'name')} />
        <TtlField
          label="Default TTL"
          initial={null}
          words={default_ttl_words}
          onChange={setTtl}
          hint="You set the rest of its policy on the next page."
          error={messageAt(error, 'default_ttl')}
        />
        {error && !isAbout(error, 'name') && !isAbout(error, 'default_ttl') && <ErrorNote error={error} />}
        <Buttons action={action} isReady={name !== '' && ttl !== undefined} onClose={onClose} />
      </form>
    </Dialog>
  );
}
