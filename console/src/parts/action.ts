// useAction(): something that the user starts on a page, and why it has failed.
import { useState } from 'preact/hooks';

export interface Action {
  error?: Error;
  isBusy: boolean;
  run: (work: () => Promise<unknown>) => Promise<void>;
}

export function useAction(): Action {
  const [error, setError] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const run = async (work: () => Promise<unknown>) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure as Error);
    }
    setIsBusy(false);
  };
  return { error, isBusy, run };
}
