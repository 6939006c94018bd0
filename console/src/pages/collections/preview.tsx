// What another default TTL would expire.
import { pathOf, post } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Preview, Ttl } from '../../api/types';
import { ErrorNote } from '../../parts/notes';
import { countText, expireText, sentence } from './words';

const typing_pause = 300;

interface Place {
  database: string;
  collection: string;
}

export function loadPreview({ database, collection }: Place, ttl: Ttl, signal?: AbortSignal): Promise<Preview> {
  return post<Preview>(pathOf(database, collection, 'preview'), { default_ttl: ttl }, { signal });
}

async function loadBoth(place: Place, ttl: Ttl, present: Ttl, signal: AbortSignal) {
  await new Promise((resolve) => setTimeout(resolve, typing_pause));
  signal.throwIfAborted();
  const [changed, unchanged] = await Promise.all([
    loadPreview(place, ttl, signal),
    loadPreview(place, present, signal).catch(() => undefined),  // only for comparison
  ]);
  return { changed, unchanged };
}

function Within({ span, changed, unchanged }: { span: 'day' | 'week'; changed: Preview; unchanged?: Preview }) {
  const member = `within_a_${span}` as const;
  const present = unchanged?.[member].documents;
  return (
    <li>
      {sentence(`${expireText(changed[member])} within a ${span}`)}
      {present !== undefined && <span class="hint"> Without the change: {countText(present)}.</span>}
    </li>
  );
}

interface PreviewNoteProps extends Place {
  ttl: Ttl;
  present: Ttl;
}

export function PreviewNote({ ttl, present, ...place }: PreviewNoteProps) {
  const { data, error } = useLoad(
    (signal) => loadBoth(place, ttl, present, signal),
    [place.database, place.collection, ttl, present],
  );
  return (
    <div role="status" class="note">
      {error && <ErrorNote error={error} />}
      {!data && !error && <span class="hint">Counting what expires…</span>}
      {data && (
        <>
          <strong class={data.changed.at_once.documents > 0 ? 'soon' : undefined}>
            {sentence(`${expireText(data.changed.at_once)} at once`)}
          </strong>
          <ul>
            <Within span="day" {...data} />
            <Within span="week" {...data} />
          </ul>
          <span class="hint">Each number includes the one before, and documents with their own lifetime.</span>
        </>
      )}
    </div>
  );
}
