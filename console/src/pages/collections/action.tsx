// A change that a page requests of the server: whether it runs, and why it was refused.
import { useState } from 'preact/hooks';

import { ApiError } from '../../api/client';
import { ErrorNote } from '../../parts/notes';

export interface Action {
  isBusy: boolean;
  error?: Error;
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const run = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure as Error);
    }
    setIsBusy(false);
  };
  return { isBusy, error, run };
}

// A hold or a definition forbids a change as well as a key does: the message says which.
export function Refusal({ error }: { error: Error }) {
  const isForbidden = error instanceof ApiError && error.code === 'forbidden';
  return isForbidden ? <p role="alert" class="error">{error.message}</p> : <ErrorNote error={error} />;
}

// The field that the server names, or a member of it: `stamp_ttl.seconds`.
export function isAbout(error: Error | undefined, name: string): error is ApiError {
  const field = error instanceof ApiError ? error.field : undefined;
  return field !== undefined && (field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`));
}

export function messageAt(error: Error | undefined, name: string): string | undefined {
  return isAbout(error, name) ? error.message : undefined;
}
