// The form of a new subscription.
import { useState } from 'preact/hooks';

import { get, pathOf, post } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection } from '../../api/types';
import { Dialog } from '../../parts/dialog';
import { ErrorNote } from '../../parts/notes';
import { useAction, type Action } from '../../parts/action';
import { bodyOf, empty_draft, type Draft } from './draft';
import { FromField } from './from';
import { CheckList, event_kinds } from './kinds';
import { Secret } from './secret';
import { TargetFields, type FieldsProps } from './target_fields';
import type { Subscription } from './types';

function CollectionsField({ database, draft, onChange }: FieldsProps & { database: string }) {
  const { data, error } = useLoad(
    (signal) => get<{ collections: Collection[] }>(`${pathOf(database)}/collections`, { signal }),
    [database],
  );
  const names = (data?.collections ?? []).filter((one) => one.keep_feed_for !== 0).map(({ name }) => name);
  return (
    <>
      {error && <ErrorNote error={error} />}
      <CheckList
        legend="Collections that keep a feed (none chosen: all)"
        names={names}
        chosen={draft.collections}
        onChange={(collections) => onChange({ collections })}
      />
    </>
  );
}

function WhichEvents({ draft, onChange }: FieldsProps) {
  return (
    <>
      <CheckList
        legend="Kinds (none chosen: all)"
        names={event_kinds}
        chosen={draft.kinds}
        onChange={(kinds) => onChange({ kinds })}
      />
      <div class="bar">
        <label>
          Filter on the document
          <input
            class="mono"
            size={40}
            placeholder='plan = "team"'
            value={draft.filter}
            onInput={(event) => onChange({ filter: event.currentTarget.value })}
          />
        </label>
      </div>
    </>
  );
}

function HowItIsSent({ draft, onChange }: FieldsProps) {
  return (
    <div class="bar">
      <FromField from={draft.from} onChange={(from) => onChange({ from })} />
      <label>
        Attempts at most
        <input
          type="number"
          min={1}
          max={1000}
          required
          value={draft.attemptsMax}
          onInput={(event) => onChange({ attemptsMax: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}

interface FormProps {
  database: string;
  action: Action;
  onSubmit: (draft: Draft) => void;
  onClose: () => void;
}

function Form({ database, action, onSubmit, onClose }: FormProps) {
  const [draft, setDraft] = useState(empty_draft);
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit(draft);
  };
  return (
    <form class="subscription-form" onSubmit={submit}>
      <div class="bar">
        <label>
          Name
          <input value={draft.name} onInput={(event) => change({ name: event.currentTarget.value })} />
        </label>
      </div>
      <CollectionsField database={database} draft={draft} onChange={change} />
      <WhichEvents draft={draft} onChange={change} />
      <TargetFields draft={draft} onChange={change} />
      <HowItIsSent draft={draft} onChange={change} />
      {action.error && <ErrorNote error={action.error} />}
      <div class="actions">
        <button type="button" onClick={onClose}>Cancel</button>
        <button type="submit" class="main" disabled={action.isBusy}>Create</button>
      </div>
    </form>
  );
}

interface CreateProps {
  database: string;
  onCreated: () => void;
  onClose: () => void;
}

export function Create({ database, onCreated, onClose }: CreateProps) {
  const [secret, setSecret] = useState<string>();
  const action = useAction();
  const create = (draft: Draft) => action.run(async () => {
    const made = await post<Subscription>(pathOf(database, undefined, 'subscriptions'), bodyOf(draft));
    onCreated();
    if (made.target.webhook?.secret === undefined) onClose();
    else setSecret(made.target.webhook.secret);
  });
  return (
    <Dialog title="New subscription" onClose={onClose}>
      {secret === undefined
        ? <Form database={database} action={action} onSubmit={create} onClose={onClose} />
        : <Secret secret={secret} onClose={onClose} />}
    </Dialog>
  );
}
