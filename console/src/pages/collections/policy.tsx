// The policy editor: only what was changed is sent, and what expires at once is asked about first.
import { useState } from 'preact/hooks';

import { call, pathOf } from '../../api/client';
import type { Collection } from '../../api/types';
import { Confirm } from '../../parts/dialog';
import type { SpanValue } from '../../parts/ttl_field';
import { useAction } from '../../parts/action';
import { ErrorNote } from '../../parts/notes';
import { messageAt } from './refused';
import { policyOf, questionOf, unchanged, withChange, type Draft } from './policy_draft';
import { FlagField, SpanField, StampField } from './policy_fields';
import { member_rows, type FullPolicy, type MemberName, type MemberRow } from './policy_members';
import { PreviewNote } from './preview';

type OnChange = <Name extends MemberName>(name: Name, value: FullPolicy[Name] | undefined) => void;

interface MemberProps {
  row: MemberRow;
  policy: FullPolicy;
  error?: Error;
  onChange: OnChange;
}

function Member({ row, policy, error, onChange }: MemberProps) {
  const message = messageAt(error, row.name);
  if (row.name === 'stamp_ttl') {
    return (
      <StampField
        row={row}
        initial={policy.stamp_ttl}
        error={message}
        onChange={(value) => onChange('stamp_ttl', value)}
      />
    );
  }
  if ('words' in row) {
    const change = (value: SpanValue | undefined) => onChange(row.name, value);
    return <SpanField row={row} initial={policy[row.name]} error={message} onChange={change} />;
  }
  return (
    <FlagField row={row} initial={policy[row.name]} error={message} onChange={(value) => onChange(row.name, value)} />
  );
}

interface MembersProps {
  database: string;
  collection: string;
  policy: FullPolicy;
  draft: Draft;
  error?: Error;
  onChange: OnChange;
}

function Members({ database, collection, policy, draft, error, onChange }: MembersProps) {
  const ttl = draft.wrong.includes('default_ttl') ? undefined : draft.changes.default_ttl;
  return (
    <>
      {member_rows.map((row) => (
        <div key={row.name} class="member">
          <Member row={row} policy={policy} error={error} onChange={onChange} />
          {row.name === 'default_ttl' && ttl !== undefined && (
            <PreviewNote database={database} collection={collection} ttl={ttl} present={policy.default_ttl} />
          )}
        </div>
      ))}
    </>
  );
}

function isNamed(error: Error): boolean {
  return member_rows.some(({ name }) => messageAt(error, name) !== undefined);
}

interface EditorProps {
  database: string;
  collection: Collection;
  onSaved: () => void;
}

export function PolicyEditor({ database, collection, onSaved }: EditorProps) {
  const policy = policyOf(collection);
  const place = { database, collection: collection.name };
  const [draft, setDraft] = useState(unchanged);
  const [question, setQuestion] = useState<string>();
  const { isBusy, error, run } = useAction();
  const names = Object.keys(draft.changes);
  const canSave = !isBusy && draft.wrong.length === 0 && names.length > 0;
  const change: OnChange = (name, value) => setDraft((before) => withChange(before, policy, name, value));
  const send = async () => {
    setQuestion(undefined);
    await call('PATCH', pathOf(database, collection.name), { body: draft.changes });
    onSaved();
  };
  const save = async () => {
    const text = await questionOf(place, draft.changes);
    if (text === undefined) await send();
    else setQuestion(text);
  };
  return (
    <>
      <form noValidate onSubmit={(event) => { event.preventDefault(); run(save); }}>
        <Members {...place} policy={policy} draft={draft} error={error} onChange={change} />
        {error && !isNamed(error) && <ErrorNote error={error} />}
        <div class="bar">
          <button type="submit" class="main" disabled={!canSave}>Save</button>
          <span class="hint">{names.length === 0 ? 'Nothing is changed.' : `Changed: ${names.join(', ')}`}</span>
        </div>
      </form>
      {question !== undefined && (
        <ExpiryQuestion question={question} onConfirm={() => run(send)} onClose={() => setQuestion(undefined)} />
      )}
    </>
  );
}

function ExpiryQuestion({ question, ...actions }: { question: string; onConfirm: () => void; onClose: () => void }) {
  return (
    <Confirm title="Save the change?" action="Save, and expire them" isDangerous {...actions}>
      <p><strong class="soon">{question}</strong></p>
      <p>A later change of the policy does not bring them back.</p>
    </Confirm>
  );
}
