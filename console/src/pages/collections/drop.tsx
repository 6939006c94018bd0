// Asks before something is dropped for good, and requires its name.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { Dialog } from '../../parts/dialog';
import { useAction } from '../../parts/action';
import { ErrorNote } from '../../parts/notes';

interface DropDialogProps {
  title: string;
  name: string;
  children: ComponentChildren;
  onDrop: () => Promise<void>;
  onClose: () => void;
}

export function DropDialog({ title, name, children, onDrop, onClose }: DropDialogProps) {
  const [typed, setTyped] = useState('');
  const { isBusy, error, run } = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    if (typed === name) run(onDrop);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <label>
          Its name, to confirm
          <input
            autocomplete="off"
            spellcheck={false}
            placeholder={name}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {error && <ErrorNote error={error} />}
        <div class="actions">
          <button type="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="danger" disabled={isBusy || typed !== name}>Drop</button>
        </div>
      </form>
    </Dialog>
  );
}
