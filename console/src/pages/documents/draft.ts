// The text that a user edits, and the version that it was made from.
import { useEffect, useState } from 'preact/hooks';

import type { OpenDocument } from './types';

interface State {
  base: OpenDocument;
  text: string;
  // A later version of another writer, while the text has changes of its own.
  newer?: OpenDocument;
}

export interface Draft extends State {
  isDirty: boolean;
  setText: (text: string) => void;
  // The newer version in place of the text.
  takeNewer: () => void;
  // The text as a change of the newer version.
  keepText: () => void;
  replaceBase: (saved: OpenDocument) => void;
}

function fresh(document: OpenDocument): State {
  return { base: document, text: document.text };
}

// The state after a version was read. A version with the same content, such as after a touch, conflicts with nothing.
function withRead(state: State | undefined, read: OpenDocument): State {
  if (!state || state.text === state.base.text) return fresh(read);
  if (read.text === state.base.text) return { base: read, text: state.text };
  return { ...state, newer: read };
}

// Undefined until the document was read once.
export function useDraft(read: OpenDocument | undefined): Draft | undefined {
  const [state, setState] = useState<State>();
  useEffect(() => {
    if (read) setState((before) => withRead(before, read));
  }, [read]);
  if (!state) return undefined;
  const change = (to: (before: State) => State) => setState((before) => before && to(before));
  return {
    ...state,
    isDirty: state.text !== state.base.text,
    setText: (text) => change((before) => ({ ...before, text })),
    takeNewer: () => change((before) => fresh(before.newer ?? before.base)),
    keepText: () => change((before) => ({ base: before.newer ?? before.base, text: before.text })),
    replaceBase: (saved) => setState(fresh(saved)),
  };
}
