// Editing a document: it is saved only over the version that the text was made from.
import { useMemo, useState } from 'preact/hooks';

import type { ApiError } from '../../api/client';
import { Editor } from '../../parts/editor';
import { keep, LifetimeField, lifetimeProblem } from '../../parts/lifetime_field';
import { ErrorNote } from '../../parts/notes';
import { useAction } from './action';
import { saveDocument } from './calls';
import type { Draft } from './draft';
import { problemOf, type Problem } from './problem';
import type { Key } from './types';

export function ProblemNote({ problem }: { problem: Problem }) {
  return <p role="alert" class="error">Line {problem.line}, column {problem.column}: {problem.message}</p>;
}

// Another writer was first.
function Newer({ draft }: { draft: Draft }) {
  const { newer } = draft;
  if (!newer) return null;
  const { written_at, updater } = newer.facts;
  return (
    <div class="newer" role="alert">
      <p>
        <strong>There is a newer version</strong>, written at {written_at}{updater && <> by {updater}</>}. Saving would
        overwrite it, so decide first what to keep.
      </p>
      <details>
        <summary>The newer version</summary>
        <pre tabIndex={0}>{newer.text}</pre>
      </details>
      <div class="bar">
        <button type="button" onClick={draft.takeNewer}>Load the newer version, discard my text</button>
        <button type="button" onClick={draft.keepText}>Keep my text, to save it over the newer version</button>
      </div>
    </div>
  );
}

interface EditProps {
  itemKey: Key;
  draft: Draft;
  maySetLifetime: boolean;
  // After a save, also a failed one: the document is to be read again.
  onChanged: () => void;
}

function useSave({ itemKey, draft, onChanged }: EditProps) {
  const [lifetime, setLifetime] = useState(keep);
  const [note, setNote] = useState('');
  const { run, error, isRunning } = useAction();
  const problem = useMemo(() => problemOf(draft.text), [draft.text]);
  const hasChange = draft.isDirty || lifetime.kind !== 'keep';
  const canSave = hasChange && !problem && !lifetimeProblem(lifetime) && !draft.newer && !isRunning;
  const send = async () => {
    try {
      return await saveDocument(itemKey, draft.text, draft.base.facts.etag, lifetime);
    } finally {
      onChanged();
    }
  };
  const save = () => {
    if (!canSave) return;
    setNote('');
    run(send, ({ document, hint }) => {
      draft.replaceBase(document);
      setLifetime(keep);
      setNote(hint ? `Saved. ${hint}.` : 'Saved.');
    });
  };
  return { lifetime, setLifetime, note, error, isRunning, problem, canSave, save };
}

function SaveNotes({ draft, note, error }: { draft: Draft; note: string; error?: ApiError }) {
  const isStale = error?.code === 'stale';
  return (
    <>
      <p role="status">{draft.isDirty ? '' : note}</p>
      {isStale && draft.isDirty && !draft.newer && (
        <p role="alert" class="error">
          Another write came first, and nothing was saved. Your text is kept: save it again.
        </p>
      )}
      {error && !isStale && <ErrorNote error={error} />}
    </>
  );
}

export function Edit(props: EditProps) {
  const { itemKey, draft, maySetLifetime } = props;
  const { lifetime, setLifetime, note, error, isRunning, problem, canSave, save } = useSave(props);
  const undo = () => draft.setText(draft.base.text);
  return (
    <section aria-label="Content">
      <Editor
        label={`JSON of ${itemKey.id}`}
        language="json"
        value={draft.text}
        onChange={draft.setText}
        isReadOnly={isRunning}
        errorAt={problem?.at}
        onSubmit={save}
      />
      {problem && <ProblemNote problem={problem} />}
      <Newer draft={draft} />
      <LifetimeField value={lifetime} onChange={setLifetime} isDisabled={!maySetLifetime} />
      {!maySetLifetime && <p class="hint">The policy of the collection does not let writers set lifetimes.</p>}
      <div class="actions">
        <button type="button" disabled={!draft.isDirty} onClick={undo}>Undo changes</button>
        <button type="button" class="main" disabled={!canSave} onClick={save}>Save</button>
      </div>
      <SaveNotes draft={draft} note={note} error={error} />
    </section>
  );
}
