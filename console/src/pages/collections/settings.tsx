// Settings of a structure, named as in Centrali's console. A default that it saves is the one that the
// Centrali API writes as defaultTtlSeconds.
import { useId, useState } from 'preact/hooks';

import { call, pathOf } from '../../api/client';
import type { Collection, Policy } from '../../api/types';
import { seconds_max, span_fault } from '../../parts/ttl_field';
import { useAction } from '../../parts/action';
import { ErrorNote } from '../../parts/notes';
import { messageAt } from './refused';
import { secondsText } from './words';

interface SettingsProps {
  database: string;
  collection: Collection;
  onSaved: () => void;
}

function textOf({ stamp_ttl, default_ttl }: Collection): string {
  if (stamp_ttl) return String(stamp_ttl.seconds);
  return typeof default_ttl === 'number' ? String(default_ttl) : '';
}

// No default also ends one that another API gave to all documents, as in the Centrali API.
function changeTo(text: string, { default_ttl }: Collection): Partial<Policy> {
  if (text !== '') return { stamp_ttl: { seconds: Number(text), when: 'creation' } };
  return typeof default_ttl === 'number' ? { stamp_ttl: null, default_ttl: null } : { stamp_ttl: null };
}

// undefined: it can be saved.
function faultOf(text: string): string | undefined {
  const seconds = Number(text);
  const fits = text === '' || (Number.isInteger(seconds) && seconds >= 1 && seconds <= seconds_max);
  return fits ? undefined : span_fault;
}

interface FieldProps {
  text: string;
  error?: string;
  onChange: (text: string) => void;
}

function RecordTtl({ text, error, onChange }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <span class="bar">
        <label for={id}>Default Record TTL</label>
        <input
          id={id}
          class="count"
          type="number"
          min={1}
          value={text}
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={error !== undefined}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <span>seconds{text !== '' && faultOf(text) === undefined && ` (${secondsText(Number(text))})`}</span>
      </span>
      <span id={`${id}-hint`} class="hint">
        A new record expires this long after its creation, unless it gets a lifetime of its own. Leave it empty for no
        default. Existing records do not change.
      </span>
      <span id={`${id}-error`} role="alert" class="error">{error}</span>
    </div>
  );
}

export function Settings({ database, collection, onSaved }: SettingsProps) {
  const [text, setText] = useState(() => textOf(collection));
  const { isBusy, error, run } = useAction();
  const refusal = messageAt(error, 'stamp_ttl') ?? messageAt(error, 'default_ttl');
  const fault = faultOf(text);
  const save = async () => {
    await call('PATCH', pathOf(database, collection.name), { body: changeTo(text, collection) });
    onSaved();
  };
  return (
    <form noValidate onSubmit={(event) => { event.preventDefault(); run(save); }}>
      <RecordTtl text={text} error={fault ?? refusal} onChange={setText} />
      {error && refusal === undefined && <ErrorNote error={error} />}
      <button type="submit" class="main" disabled={isBusy || fault !== undefined}>Save</button>
    </form>
  );
}
