// A long list asks for the numbers of each of its collections: a few at a time.
import { useEffect } from 'preact/hooks';

import { useLoad, type Loaded } from '../../api/load';

const running_max = 3;
const again_after = 10_000;

let running = 0;
const waiting: (() => void)[] = [];

// Work whose signal aborts while it waits never begins.
async function inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (running < running_max) {
    running += 1;
  } else {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

// As useLoad(), but in turn, and again some time after each answer: slow answers do not pile up.
export function useLoadInTurn<T extends object>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: unknown[],
): Loaded<T> {
  const loaded = useLoad((signal) => inTurn(() => load(signal), signal), inputs);
  const { data, error, reload } = loaded;
  useEffect(() => {
    if (!data && !error) return undefined;
    let timer = 0;
    const wait = () => {
      timer = window.setTimeout(() => (document.hidden ? wait() : reload()), again_after);
    };
    wait();
    return () => clearTimeout(timer);
  }, [data, error]);
  return loaded;
}
