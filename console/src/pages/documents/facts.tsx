// The metadata of a document.
import type { ComponentChildren } from 'preact';

import { Countdown } from '../../parts/countdown';
import { ttlText } from '../../parts/time';
import { Rest } from './columns';
import { textOf } from '../../api/exact';
import type { Hold, LifetimeKind, Row } from './types';

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return <><dt>{name}</dt><dd>{children}</dd></>;
}

function Time({ at }: { at: string }) {
  return <time dateTime={at}>{at}</time>;
}

function kindText(kind: LifetimeKind, after?: number): string {
  switch (kind) {
    case 'at': return 'its own expiration';
    case 'never': return 'never, its own';
    case 'after': return `${ttlText(after ?? null)} after each write`;
    case 'inherit': return 'the default of the collection';
  }
}

function HoldFact({ hold }: { hold: Hold }) {
  return (
    <Fact name="Held">
      since <Time at={hold.held_at} />{hold.by && <> by {hold.by}</>}{hold.reason && <>: {hold.reason}</>}
      <br />
      <span class="hint">
        After the release: {kindText(hold.lifetime, hold.after)}
        {hold.expires_at && <> (<Countdown end={hold.expires_at} />)</>}
      </span>
    </Fact>
  );
}

// `listed`: the same document as the list shows it, which says what is behind its expiration.
export function Facts({ facts, listed, asOf }: { facts: Row; listed?: Row; asOf?: string }) {
  const { partition, created_at, written_at, expires_at, revision, etag, author, updater, hold } = facts;
  const isSame = listed?.etag === etag && listed.lifetime !== undefined;
  return (
    <dl class="facts">
      <Fact name="Lifetime">
        <Rest row={facts} asOf={asOf} />
        {isSame && !hold && <span class="hint"> ({kindText(listed.lifetime!, listed.after)})</span>}
      </Fact>
      {expires_at && <Fact name="Expires"><Time at={expires_at} /></Fact>}
      {hold && <HoldFact hold={hold} />}
      {partition && <Fact name="Partition"><code>{textOf(partition)}</code></Fact>}
      <Fact name="Written"><Time at={written_at} />, revision {revision}{updater && <> by {updater}</>}</Fact>
      <Fact name="Created"><Time at={created_at} />{author && <> by {author}</>}</Fact>
      <Fact name="ETag"><code>{etag}</code></Fact>
    </dl>
  );
}
