// What a panel shows of a document that has ended: it can be created again.
import { useState } from 'preact/hooks';

import type { Collection } from '../../api/types';
import type { Draft } from './draft';
import { History } from './history';
import { NewDocument } from './new_document';
import type { Place } from './place';
import { keepsHistory, maySetLifetime } from './policy';
import type { Key, OpenDocument } from './types';

interface GoneProps {
  place: Place;
  itemKey: Key;
  policy?: Collection;
  // The content that the document had, with what the user has typed since.
  draft?: Draft;
  expiredAt: string | null;
  onCreated: (document: OpenDocument) => void;
  onDirty: (isDirty: boolean) => void;
}

export function Gone({ place, itemKey, policy, draft, expiredAt, onCreated, onDirty }: GoneProps) {
  const [taken, setTaken] = useState<string>();
  const text = taken ?? draft?.text;
  return (
    <>
      <p role="status">
        {expiredAt
          ? <>This document expired at <time dateTime={expiredAt}>{expiredAt}</time>.</>
          : 'There is no such document.'}
        {text !== undefined && ' You can create it again with the text below.'}
      </p>
      {text !== undefined && (
        <NewDocument
          place={place}
          id={itemKey.id}
          text={text}
          cleanText={draft?.base.text}
          maySetLifetime={maySetLifetime(policy)}
          onDirty={onDirty}
          onCreated={onCreated}
        />
      )}
      {keepsHistory(policy) && <History itemKey={itemKey} onTake={setTaken} />}
    </>
  );
}
