// The kept versions of a document. A version is restored when its text is saved.
import { useState } from 'preact/hooks';

import { now } from '../../api/clock';
import { useLoad } from '../../api/load';
import { Editor } from '../../parts/editor';
import { Empty, ErrorNote } from '../../parts/notes';
import { loadHistory } from './calls';
import type { Key, OpenDocument } from './types';

interface HistoryProps {
  itemKey: Key;
  // The version that the page shows: after another one the versions are read again.
  etag?: string;
  onTake: (text: string) => void;
}

function endText({ superseded_at, expires_at }: OpenDocument['facts']): string {
  const replaced = superseded_at ? Date.parse(superseded_at) : Infinity;
  const end = expires_at === null ? Infinity : Date.parse(expires_at);
  if (end <= Math.min(replaced, now.peek())) return `expired at ${expires_at}`;
  if (superseded_at) return `replaced or removed at ${superseded_at}`;
  return expires_at === null ? 'the newest version' : `expires at ${expires_at}`;
}

interface VersionProps {
  version: OpenDocument;
  isOpen: boolean;
  onOpen: () => void;
}

function Version({ version, isOpen, onOpen }: VersionProps) {
  const { written_at, updater, author, revision } = version.facts;
  const by = updater ?? author;
  return (
    <li>
      <button type="button" class="quiet" aria-pressed={isOpen} onClick={onOpen}>
        <time dateTime={written_at}>{written_at}</time>, revision {revision}{by && ` by ${by}`}
      </button>
      <br />
      <span class="hint">{endText(version.facts)}</span>
    </li>
  );
}

function Versions({ itemKey, etag, onTake }: HistoryProps) {
  const [opened, setOpened] = useState<string>();
  const { data, error } = useLoad((signal) => loadHistory(itemKey, signal), [JSON.stringify(itemKey), etag]);
  const shown = data?.find((version) => version.facts.etag === opened);
  return (
    <>
      {error && <ErrorNote error={error} />}
      {data?.length === 0 && <Empty>No version is kept.</Empty>}
      <ol class="versions">
        {data?.map((version) => (
          <Version
            key={version.facts.etag}
            version={version}
            isOpen={version === shown}
            onOpen={() => setOpened(version === shown ? undefined : version.facts.etag)}
          />
        ))}
      </ol>
      {shown && (
        <>
          <Editor label={`JSON of ${shown.facts.written_at}`} language="json" value={shown.text} isReadOnly />
          <div class="actions">
            <button type="button" onClick={() => onTake(shown.text)}>Put this version in the editor</button>
          </div>
          <p class="hint">It is restored when you save it.</p>
        </>
      )}
    </>
  );
}

export function History(props: HistoryProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {isOpen && <Versions {...props} />}
    </details>
  );
}
