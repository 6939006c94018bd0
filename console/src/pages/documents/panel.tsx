// What the panel beside the table shows of a document.
import { useLoad } from '../../api/load';
import type { Collection } from '../../api/types';
import { Editor } from '../../parts/editor';
import { Empty, ErrorNote } from '../../parts/notes';
import { useAlive, type Mortal } from './alive';
import { loadDocument } from './calls';
import { useDraft, type Draft } from './draft';
import { Edit } from './edit';
import { Endings } from './endings';
import { Facts } from './facts';
import { Gone } from './gone';
import { useReport } from './guard';
import { History } from './history';
import { useKept } from './kept';
import type { Place } from './place';
import { keepsHistory, maySetLifetime } from './policy';
import type { Key, OpenDocument, Row } from './types';

const read_every = 5_000;
const no_rows: Mortal[] = [];

export interface PanelProps {
  place: Place;
  itemKey: Key;
  policy?: Collection;
  // The same document in the list, if its page shows it.
  listed?: Row;
  onChanged: () => void;
  onCreated: (document: OpenDocument) => void;
  onDirty: (isDirty: boolean) => void;
}

function Living({ draft, ...props }: PanelProps & { draft: Draft }) {
  const { itemKey, policy, listed, onChanged, onDirty } = props;
  const { facts } = draft.base;
  useReport(draft.isDirty, onDirty);
  return (
    <>
      <Facts facts={facts} listed={listed} />
      <Endings itemKey={itemKey} facts={facts} policy={policy} onChanged={onChanged} />
      <Edit itemKey={itemKey} draft={draft} maySetLifetime={maySetLifetime(policy)} onChanged={onChanged} />
      {keepsHistory(policy) && <History itemKey={itemKey} etag={facts.etag} onTake={draft.setText} />}
    </>
  );
}

export function Panel(props: PanelProps) {
  const { itemKey, onChanged, onCreated } = props;
  const read = (signal: AbortSignal) => loadDocument(itemKey, undefined, signal);
  const { data, error, isLoading, reload } = useLoad(read, [], read_every);
  const draft = useDraft(data);
  const latest = draft && (draft.newer ?? draft.base).facts;
  const hasExpired = useAlive(latest ? [latest] : no_rows, true).length === 0 && latest !== undefined;
  const isMissing = error?.code === 'not_found';
  const changed = () => {
    reload();
    onChanged();
  };
  const created = (document: OpenDocument) => {
    draft?.replaceBase(document);
    reload();
    onCreated(document);
  };
  return (
    <>
      {error && !isMissing && <ErrorNote error={error} />}
      {!draft && isLoading && <Empty>Loading…</Empty>}
      {isMissing || hasExpired
        ? <Gone {...props} draft={draft} expiredAt={hasExpired ? latest.expires_at : null} onCreated={created} />
        : draft && <Living {...props} draft={draft} onChanged={changed} />}
    </>
  );
}

// The document as it was; nothing can be changed.
export function PastPanel({ place, itemKey, listed }: PanelProps) {
  const { asOf } = place;
  const past = useLoad((signal) => loadDocument(itemKey, asOf, signal), [asOf]);
  const { error, isLoading } = past;
  const { data } = useKept(past);
  const isMissing = error?.code === 'not_found';
  return (
    <>
      {isMissing && <p role="status">This document did not exist at that instant.</p>}
      {error && !isMissing && <ErrorNote error={error} />}
      {!data && isLoading && <Empty>Loading…</Empty>}
      {data && (
        <>
          <Facts facts={data.facts} listed={listed} asOf={asOf} />
          <Editor label={`JSON of ${itemKey.id}, as it was`} language="json" value={data.text} isReadOnly />
        </>
      )}
    </>
  );
}
