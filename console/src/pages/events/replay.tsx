// Asks from when on a subscription sends events again.
import { useState } from 'preact/hooks';

import { Dialog } from '../../parts/dialog';
import { FromField, fromText, type From } from './from';

export function Replay({ onReplay, onClose }: { onReplay: (from: string) => void; onClose: () => void }) {
  const [from, setFrom] = useState<From>({ kind: 'beginning', at: '' });
  const replay = (event: Event) => {
    event.preventDefault();
    onReplay(fromText(from));
  };
  return (
    <Dialog title="Send events again" onClose={onClose}>
      <form onSubmit={replay}>
        <p>The target receives messages that it has received before, and the number of delivered ones begins at 0.</p>
        <div class="bar"><FromField from={from} onChange={setFrom} /></div>
        <div class="actions">
          <button type="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="main">Replay</button>
        </div>
      </form>
    </Dialog>
  );
}
