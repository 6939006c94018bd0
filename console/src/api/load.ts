// useLoad(): what a page reads from the server, again whenever its inputs change.
import { useEffect, useState } from 'preact/hooks';

import type { ApiError } from './client';

export interface Loaded<T> {
  data?: T;
  error?: ApiError;
  isLoading: boolean;
  reload: () => void;
}

// `inputs`: as those of useEffect. `everyMillis`: reads again and again while the page is visible.
// The last data stays while new data is read, so that nothing flickers.
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: unknown[], everyMillis = 0): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: ApiError; isLoading: boolean }>({ isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    setState({ isLoading: true });
  }, inputs);
  useEffect(() => {
    const ending = new AbortController();
    let isReading = false;
    const read = async () => {
      if (isReading) return;  // a slow server is not asked twice
      isReading = true;
      try {
        const data = await load(ending.signal);
        if (!ending.signal.aborted) setState({ data, isLoading: false });
      } catch (error) {
        if (!ending.signal.aborted) setState((before) => ({ ...before, error: error as ApiError, isLoading: false }));
      }
      isReading = false;
    };
    read();
    const timer = everyMillis > 0 ? setInterval(() => !document.hidden && read(), everyMillis) : 0;
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [...inputs, round]);
  return { ...state, reload: () => setRound((n) => n + 1) };
}
