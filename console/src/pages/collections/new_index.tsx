// A form for a new index.
import { useState } from 'preact/hooks';

import { ApiError, post } from '../../api/client';
import type { IndexRow } from '../../api/types';
import { useAction } from '../../parts/action';
import { ErrorNote } from '../../parts/notes';
import { isAbout, messageAt } from './refused';
import { FieldRow, first_field, type FieldDraft } from './index_field';
import { NameField } from './name_field';

interface FieldsProps {
  fields: FieldDraft[];
  error?: Error;
  onChange: (fields: FieldDraft[]) => void;
}

function Fields({ fields, error, onChange }: FieldsProps) {
  const ofAll = error instanceof ApiError && error.field === 'fields' ? error.message : undefined;
  return (
    <>
      {fields.map((field, index) => (
        <FieldRow
          key={index}
          number={index + 1}
          field={field}
          error={messageAt(error, `fields[${index}]`)}
          onChange={(changed) => onChange(fields.map((other, i) => (i === index ? changed : other)))}
          onRemove={fields.length > 1 ? () => onChange(fields.filter((_, i) => i !== index)) : undefined}
        />
      ))}
      <div class="bar">
        <button type="button" onClick={() => onChange([...fields, first_field])}>Add a field</button>
        <span role="alert" class="error">{ofAll}</span>
      </div>
    </>
  );
}

interface IndexDraft {
  name: string;
  fields: FieldDraft[];
  unique: boolean;
}

const empty: IndexDraft = { name: '', fields: [first_field], unique: false };

export function NewIndex({ place, onCreated }: { place: string; onCreated: () => void }) {
  const [draft, setDraft] = useState(empty);
  const { isBusy, error, run } = useAction();
  const change = (part: Partial<IndexDraft>) => setDraft((before) => ({ ...before, ...part }));
  const isComplete = draft.name !== '' && draft.fields.every(({ path }) => path.trim() !== '');
  const create = async () => {
    await post<IndexRow>(place, draft);
    setDraft(empty);
    onCreated();
  };
  const isNamed = isAbout(error, 'name') || isAbout(error, 'fields');
  return (
    <form onSubmit={(event) => { event.preventDefault(); run(create); }} aria-label="New index">
      <h2>New index</h2>
      <NameField
        label="Name"
        value={draft.name}
        error={messageAt(error, 'name')}
        onChange={(name) => change({ name })}
      />
      <Fields fields={draft.fields} error={error} onChange={(fields) => change({ fields })} />
      <div class="bar">
        <label>
          <input
            type="checkbox"
            checked={draft.unique}
            onChange={(event) => change({ unique: event.currentTarget.checked })}
          />
          unique
        </label>
        <button type="submit" class="main" disabled={isBusy || !isComplete}>Create the index</button>
        <span role="status" class="hint">{isBusy ? 'It is being filled from the existing documents…' : ''}</span>
      </div>
      {error && !isNamed && <ErrorNote error={error} />}
    </form>
  );
}
