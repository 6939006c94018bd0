// Something that a user starts: whether it is running, and what failed.
import { useEffect, useRef, useState } from 'preact/hooks';

import { ApiError } from '../../api/client';

export interface Action {
  isRunning: boolean;
  error?: ApiError;
  // One at a time. `after` runs if it has succeeded and its part of the page is still shown.
  run: <T>(act: () => Promise<T>, after: (result: T) => void) => void;
  clear: () => void;
}

export function useAction(): Action {
  const [state, setState] = useState<{ isRunning: boolean; error?: ApiError }>({ isRunning: false });
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run: Action['run'] = (act, after) => {
    if (state.isRunning) return;
    setState({ isRunning: true });
    act().then(
      (result) => {
        if (!isShown.current) return;
        setState({ isRunning: false });
        after(result);
      },
      (failure: Error) => {
        const error = failure instanceof ApiError ? failure : new ApiError(0, 'internal', failure.message);
        if (isShown.current) setState({ isRunning: false, error });
      },
    );
  };
  return { ...state, run, clear: () => setState({ isRunning: false }) };
}
