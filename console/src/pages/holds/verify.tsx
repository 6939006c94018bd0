// The button that verifies the whole record of purges, its progress, and its result in words.
import { useEffect, useRef, useState } from 'preact/hooks';

import { ErrorNote } from '../../parts/notes';
import { useAction } from '../../parts/action';
import { hasher, verifyChain, type Fault, type Verdict } from './chain';

const fault_text: Record<Fault, (number: number) => string> = {
  hash: (number) => `The hash of record ${number} does not fit its text: the record has been changed.`,
  previous: (number) =>
    `Record ${number} does not name the hash of the record before it: one of them has been changed.`,
  missing: (number) =>
    `Records before ${number} are missing. If they became too old while the page was reading, verify again.`,
  page: (number) => `The server says that the hashes of the page that begins with record ${number} do not match.`,
};

function Result({ verdict }: { verdict: Verdict }) {
  const { fault, records, first, last } = verdict;
  if (fault) return <p class="error">The chain is broken. {fault_text[fault.kind](fault.number)}</p>;
  if (records === 0) return <p>There are no records to verify.</p>;
  const by = verdict.isComputedHere ? 'computed by this page' : 'checked by the server';
  return (
    <p>
      The chain is intact: {records} records, from {first} to {last}. Each hash, {by}, fits its record, and each record
      names the hash of the one before it.
      {first !== 1 && ` Records before ${first} are no longer kept, so nothing is known of them.`}
    </p>
  );
}

export function Verify({ path, onReadAgain }: { path: string; onReadAgain: () => void }) {
  const [progress, setProgress] = useState<Verdict>();
  const [verdict, setVerdict] = useState<Verdict>();
  const { error, isBusy, run } = useAction();
  const ending = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const verify = () => run(async () => {
    const own = new AbortController();
    ending.current = own;
    setVerdict(undefined);
    setProgress(undefined);
    try {
      setVerdict(await verifyChain(path, own.signal, setProgress));
    } catch (failure) {
      if (!own.signal.aborted) throw failure;
    }
  });
  return (
    <>
      <div class="bar">
        <button type="button" onClick={onReadAgain}>Read again</button>
        <button type="button" disabled={isBusy} onClick={verify}>Verify the chain</button>
        {isBusy && <button type="button" onClick={() => ending.current?.abort()}>Stop</button>}
        {isBusy && <span>{progress?.records ?? 0} records verified</span>}
      </div>
      {!hasher && (
        <p class="hint">
          This page cannot compute hashes, because its address is neither https nor localhost. The server checks them.
        </p>
      )}
      <div role="status">{verdict && <Result verdict={verdict} />}</div>
      {error && <ErrorNote error={error} />}
    </>
  );
}
