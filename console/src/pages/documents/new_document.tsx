// A new document, or one that has ended and is created again.
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Editor } from '../../parts/editor';
import { keep, LifetimeField, lifetimeProblem } from '../../parts/lifetime_field';
import { ErrorNote } from '../../parts/notes';
import { useAction } from './action';
import { createDocument } from './calls';
import { ProblemNote } from './edit';
import { useReport } from './guard';
import type { Place } from './place';
import { problemOf } from './problem';
import type { OpenDocument } from './types';

const empty = '{\n  \n}';

interface NewDocumentProps {
  place: Place;
  // Of a document that is created again.
  id?: string;
  text?: string;
  // The text whose loss is no loss.
  cleanText?: string;
  maySetLifetime: boolean;
  onDirty: (isDirty: boolean) => void;
  onCreated: (document: OpenDocument) => void;
}

function IdField({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  return (
    <p>
      <label>
        Id{' '}
        <input
          value={id}
          placeholder="empty: a new UUID"
          size={36}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </label>
    </p>
  );
}

function useCreate(props: NewDocumentProps) {
  const { place, id: fixedId, text: given = empty, cleanText = empty, onDirty, onCreated } = props;
  const [id, setId] = useState('');
  const [text, setText] = useState(given);
  const [lifetime, setLifetime] = useState(keep);
  const { run, error, isRunning } = useAction();
  useEffect(() => setText(given), [given]);
  useReport(text !== cleanText, onDirty);
  const problem = useMemo(() => problemOf(text), [text]);
  const canCreate = !problem && !lifetimeProblem(lifetime) && !isRunning;
  const create = () => {
    if (!canCreate) return;
    const send = () => createDocument(place, fixedId ?? id, text, lifetime);
    run(send, ({ document }) => {
      onDirty(false);
      onCreated(document);
    });
  };
  return { id, setId, text, setText, lifetime, setLifetime, problem, error, isRunning, canCreate, create };
}

export function NewDocument(props: NewDocumentProps) {
  const creation = useCreate(props);
  const { problem, error } = creation;
  return (
    <section aria-label="New document">
      {props.id === undefined && <IdField id={creation.id} onChange={creation.setId} />}
      <Editor
        label="JSON of the new document"
        language="json"
        value={creation.text}
        onChange={creation.setText}
        isReadOnly={creation.isRunning}
        errorAt={problem?.at}
        onSubmit={creation.create}
      />
      {problem && <ProblemNote problem={problem} />}
      <LifetimeField
        value={creation.lifetime}
        onChange={creation.setLifetime}
        keepTitle="As the collection says"
        isDisabled={!props.maySetLifetime}
      />
      <div class="actions">
        <button type="button" class="main" disabled={!creation.canCreate} onClick={creation.create}>Create</button>
      </div>
      {error && <ErrorNote error={error} />}
    </section>
  );
}
