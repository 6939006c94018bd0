// Keeps what was read last in sight until what comes next is there.
import { useRef } from 'preact/hooks';

import type { Loaded } from '../../api/load';

export interface Kept<T> {
  data?: T;
  // Whether the data are those from before, while others are loading.
  isOld: boolean;
}

export function useKept<T>(loaded: Loaded<T>): Kept<T> {
  const kept = useRef<T | undefined>(undefined);
  if (loaded.data !== undefined || !loaded.isLoading) kept.current = loaded.data;
  return { data: kept.current, isOld: loaded.data === undefined && kept.current !== undefined };
}
