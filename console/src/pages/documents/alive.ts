// Which documents are alive now: each leaves at the instant of its expiration, with no call of the server.
import { useEffect, useState } from 'preact/hooks';

import { kind, now } from '../../api/clock';

let seen = { millis: now.peek(), at: performance.now() };
now.subscribe((millis) => {
  seen = { millis, at: performance.now() };
});

// The server's time, also between two changes of `now`.
function serverNow(): number {
  return kind.peek() === 'virtual' ? seen.millis : seen.millis + performance.now() - seen.at;
}

export interface Mortal {
  expires_at: string | null;
}

function endOf({ expires_at }: Mortal): number {
  return expires_at === null ? Infinity : Date.parse(expires_at);
}

// Acts once when the server's time reaches `millis`; returns what ends the waiting. A virtual clock moves only with
// `now`.
function whenReached(millis: number, act: () => void): () => void {
  let timer: number | undefined;
  let isDone = false;
  const look = () => {
    clearTimeout(timer);
    if (isDone) return;
    const rest = millis - serverNow();
    if (rest <= 0) {
      isDone = true;
      act();
    } else if (kind.peek() === 'system' && rest < 1_000) {
      timer = setTimeout(look, rest);
    }
  };
  const stop = now.subscribe(look);
  return () => {
    isDone = true;
    clearTimeout(timer);
    stop();
  };
}

// `isNow`: false while the page shows an instant of the past, at which all of them are alive.
export function useAlive<Row extends Mortal>(rows: Row[], isNow: boolean): Row[] {
  const [round, look] = useState(0);
  const time = serverNow();
  const alive = isNow ? rows.filter((row) => endOf(row) > time) : rows;
  const next = isNow ? alive.reduce((first, row) => Math.min(first, endOf(row)), Infinity) : Infinity;
  useEffect(() => {
    if (next === Infinity) return undefined;
    return whenReached(next, () => look((count) => count + 1));
  }, [next, round]);
  return alive;
}
