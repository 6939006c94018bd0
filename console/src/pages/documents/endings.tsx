// What moves the end of a document: touch, hold, release, removal.
import { useState } from 'preact/hooks';

import type { Collection } from '../../api/types';
import { Dialog } from '../../parts/dialog';
import { keep, LifetimeField, lifetimeProblem } from '../../parts/lifetime_field';
import { ErrorNote } from '../../parts/notes';
import { ttlText } from '../../parts/time';
import { useAction } from './action';
import { holdDocument, releaseDocument, removeDocument, touchDocument } from './calls';
import type { Key, Row } from './types';

interface EndingProps {
  itemKey: Key;
  facts: Row;
  policy?: Collection;
  onChanged: () => void;
}
interface AskProps extends EndingProps {
  onClose: () => void;
}

interface AskActionsProps {
  title: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  act: () => Promise<void>;
  onDone: () => void;
  onClose: () => void;
}

// The end of a dialog: the dialog stays open while the call runs, and if it fails.
function AskActions({ title, isDangerous, isDisabled, act, onDone, onClose }: AskActionsProps) {
  const action = useAction();
  const run = () =>
    action.run(act, () => {
      onClose();
      onDone();
    });
  return (
    <>
      {action.error && <ErrorNote error={action.error} />}
      <div class="actions">
        <button type="button" onClick={onClose}>Cancel</button>
        <button
          type="button"
          class={isDangerous ? 'danger' : 'main'}
          disabled={isDisabled || action.isRunning}
          onClick={run}
        >
          {title}
        </button>
      </div>
    </>
  );
}

function AskTouch({ itemKey, facts, onChanged, onClose }: AskProps) {
  const [lifetime, setLifetime] = useState(keep);
  return (
    <Dialog title={`Touch ${facts.id}`} onClose={onClose}>
      <p>
        A touch extends the lifetime and never shortens it. Without a choice, the document lives as long from now
        as it did from its last write.
      </p>
      <LifetimeField value={lifetime} onChange={setLifetime} keepTitle="As long again" />
      <AskActions
        title="Touch"
        isDisabled={lifetimeProblem(lifetime) !== undefined}
        act={() => touchDocument(itemKey, lifetime)}
        onDone={onChanged}
        onClose={onClose}
      />
    </Dialog>
  );
}

function AskHold({ itemKey, facts, onChanged, onClose }: AskProps) {
  const [reason, setReason] = useState('');
  return (
    <Dialog title={`Hold ${facts.id}`} onClose={onClose}>
      <p>Until its release the document does not expire and cannot be removed, and its collection cannot be dropped.</p>
      <label>
        Reason{' '}
        <input value={reason} size={36} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <AskActions title="Hold" act={() => holdDocument(itemKey, reason)} onDone={onChanged} onClose={onClose} />
    </Dialog>
  );
}

function AskRelease({ itemKey, facts, onChanged, onClose }: AskProps) {
  return (
    <Dialog title={`Release ${facts.id}`} onClose={onClose}>
      <p>
        The document gets back the lifetime that it had. If that has ended meanwhile, it expires at the release.
        Versions of it that are held in the trash are released, too.
      </p>
      <AskActions
        title="Release"
        isDangerous
        act={() => releaseDocument(itemKey)}
        onDone={onChanged}
        onClose={onClose}
      />
    </Dialog>
  );
}

function AskRemove({ itemKey, facts, policy, onChanged, onClose }: AskProps) {
  // Without the policy it is unknown whether there is a trash, so the user can still ask for a final removal.
  const keepsTrash = policy?.keep_trash_for !== 0;
  const [isFinal, setIsFinal] = useState(false);
  return (
    <Dialog title={`Remove ${facts.id}`} onClose={onClose}>
      {keepsTrash ? (
        <>
          <p>It goes to the trash{policy && <>, which keeps it for {ttlText(policy.keep_trash_for)}</>}.</p>
          <label>
            <input type="checkbox" checked={isFinal} onChange={(event) => setIsFinal(event.currentTarget.checked)} />
            Remove it for good, not to the trash
          </label>
        </>
      ) : (
        <p>The collection keeps no trash: the removal is final.</p>
      )}
      <AskActions
        title={isFinal || !keepsTrash ? 'Remove for good' : 'Remove'}
        isDangerous
        act={() => removeDocument(itemKey, facts.etag, isFinal)}
        onDone={onChanged}
        onClose={onClose}
      />
    </Dialog>
  );
}

const asks = { touch: AskTouch, hold: AskHold, release: AskRelease, remove: AskRemove };

export function Endings(props: EndingProps) {
  const [asked, setAsked] = useState<keyof typeof asks>();
  const { hold } = props.facts;
  const Ask = asked && asks[asked];
  return (
    <div class="bar">
      <button type="button" onClick={() => setAsked('touch')}>Touch…</button>
      {hold
        ? <button type="button" onClick={() => setAsked('release')}>Release…</button>
        : <button type="button" onClick={() => setAsked('hold')}>Hold…</button>}
      <button
        type="button"
        class="danger"
        disabled={hold !== undefined}
        title={hold && 'A held document cannot be removed. Release it first.'}
        onClick={() => setAsked('remove')}
      >
        Remove…
      </button>
      {Ask && <Ask {...props} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
