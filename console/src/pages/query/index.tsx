// Query: a filter of the native API over a collection, its results, and its plan.
import { useState } from 'preact/hooks';

import { pathOf, post } from '../../api/client';
import type { Document } from '../../api/types';
import { address, addressOf, Link, navigate, segments } from '../../app/router';
import { Editor } from '../../parts/editor';
import { Empty, ErrorNote } from '../../parts/notes';
import { Results } from './results';

// What a filter may contain beside the members of documents.
const words = ['and', 'or', 'not', 'in', 'contains', 'exists', 'starts_with', 'lower', 'time', 'null', 'true', 'false', '@id',
  '@revision', '@author', '@updater', '@created_at', '@written_at', '@updated_at', '@expires_at'];

interface Asked {
  filter: string;
  sort: string;
  select: string;
}

interface Outcome {
  documents?: Document[];
  plan?: unknown;
  took: number;  // milliseconds, as the browser saw it
  next?: string | null;
}

function asked(): Asked {
  const { query } = address.value;
  return { filter: query.get('filter') ?? '', sort: query.get('sort') ?? '', select: query.get('select') ?? '' };
}

function bodyOf(query: Asked, more: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(query).filter(([, text]) => text.trim() !== '');
  return { ...Object.fromEntries(given), ...more };
}

async function run(database: string, collection: string, body: Record<string, unknown>): Promise<Outcome> {
  const began = performance.now();
  const answer = await post<{ documents?: Document[]; next?: string | null; plan?: unknown }>(pathOf(database, collection) + '/query', body);
  const took = performance.now() - began;
  return answer.documents ? { documents: answer.documents, next: answer.next, took } : { plan: answer.plan, took };
}

interface FormProps {
  query: Asked;
  onChange: (query: Asked) => void;
  onRun: () => void;
  onExplain: () => void;
  isBusy: boolean;
}

function QueryForm({ query, onChange, onRun, onExplain, isBusy }: FormProps) {
  const submit = (event: Event) => {
    event.preventDefault();
    onRun();
  };
  return (
    <form onSubmit={submit}>
      <p class="hint">A condition, such as <code>age &gt;= 3 and status = "open"</code>; empty: all documents.</p>
      <Editor
        label="Filter"
        language="sql"
        value={query.filter}
        words={words}
        onSubmit={onRun}
        onChange={(filter) => onChange({ ...query, filter })}
      />
      <div class="bar">
        <label>Sort <input value={query.sort} placeholder="-age,name" onInput={(event) => onChange({ ...query, sort: event.currentTarget.value })} /></label>
        <label>Members <input value={query.select} placeholder="all" onInput={(event) => onChange({ ...query, select: event.currentTarget.value })} /></label>
        <button type="submit" class="main" disabled={isBusy}>Run</button>
        <button type="button" disabled={isBusy} onClick={onExplain}>Show the plan</button>
        <span class="hint">Ctrl+Enter runs it</span>
      </div>
    </form>
  );
}

function QueryOf({ database, collection }: { database: string; collection: string }) {
  const [query, setQuery] = useState(asked);
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const ask = async (more: Record<string, unknown>, before: Document[] = []) => {
    setIsBusy(true);
    setError(undefined);
    const texts = Object.fromEntries(Object.entries(query).map(([name, text]) => [name, text || undefined]));
    navigate(addressOf(['query', database, collection], texts), { replace: true });
    try {
      const answer = await run(database, collection, bodyOf(query, more));
      setOutcome(answer.documents ? { ...answer, documents: [...before, ...answer.documents] } : answer);
    } catch (failure) {
      setOutcome(undefined);
      setError(failure as Error);
    }
    setIsBusy(false);
  };
  return (
    <>
      <h1>Query {database} / {collection}</h1>
      <QueryForm
        query={query}
        onChange={setQuery}
        onRun={() => ask({})}
        onExplain={() => ask({ explain: true })}
        isBusy={isBusy}
      />
      {error && <ErrorText error={error} />}
      {outcome?.plan !== undefined && <Plan plan={outcome.plan} />}
      {outcome?.documents && (
        <Results
          documents={outcome.documents}
          took={outcome.took}
          onMore={outcome.next ? () => ask({ page: outcome.next }, outcome.documents) : undefined}
        />
      )}
    </>
  );
}

function Plan({ plan }: { plan: unknown }) {
  return <pre tabIndex={0} aria-label="Plan">{typeof plan === 'string' ? plan : JSON.stringify(plan, null, 2)}</pre>;
}

// An error of a filter shows its position by lines of its own.
function ErrorText({ error }: { error: Error }) {
  return error.message.includes('\n') ? <pre role="alert" class="error">{error.message}</pre> : <ErrorNote error={error} />;
}

export function Query() {
  const [, database, collection] = segments();
  if (database === undefined || collection === undefined) {
    return (
      <>
        <h1>Query</h1>
        <Empty>Choose a collection on the left, or see <Link to={addressOf(['collections'])}>all collections</Link>.</Empty>
      </>
    );
  }
  return <QueryOf key={`${database}/${collection}`} database={database} collection={collection} />;
}
