// Asks before the page leaves a text that is not saved.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { leaving } from '../../app/router';
import { Confirm } from '../../parts/dialog';

export interface Guard {
  // Goes at once if nothing would be lost.
  leave: (go: () => void) => void;
  setIsDirty: (isDirty: boolean) => void;
  dialog: ComponentChildren;
}

function warn(event: BeforeUnloadEvent) {
  event.preventDefault();
}

export function useGuard(): Guard {
  const isDirty = useRef(false);
  const [waiting, setWaiting] = useState<{ go: () => void }>();
  const setIsDirty = (is: boolean) => {
    isDirty.current = is;
    leaving.ask = is ? (go) => setWaiting({ go }) : undefined;
    if (is) addEventListener('beforeunload', warn);
    else removeEventListener('beforeunload', warn);
  };
  useEffect(() => () => setIsDirty(false), []);
  const leave = (go: () => void) => (isDirty.current ? setWaiting({ go }) : go());
  const discard = () => {
    setIsDirty(false);
    setWaiting(undefined);
    // After the dialog is gone: before, nothing outside it can get the focus.
    if (waiting) setTimeout(waiting.go);
  };
  const dialog = waiting && (
    <Confirm
      title="Your changes are not saved"
      action="Discard them"
      isDangerous
      onConfirm={discard}
      onClose={() => setWaiting(undefined)}
    >
      <p>The text of the open document has changes that are not saved.</p>
    </Confirm>
  );
  return { leave, setIsDirty, dialog };
}

// Reports to the guard while this part of the page is shown.
export function useReport(isDirty: boolean, report: (isDirty: boolean) => void): void {
  useEffect(() => {
    report(isDirty);
    return () => report(false);
  }, [isDirty]);
}
