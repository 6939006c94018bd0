// Moves the virtual clock. The server's new time applies to everything on the page immediately.
import { useState } from 'preact/hooks';

import { noteClock, type Clock } from '../../api/clock';
import { post } from '../../api/client';

export type Target = { advance_seconds: number } | { set: string };

interface Outcome {
  movedTo?: string;
  error?: Error;
}

export interface Mover extends Outcome {
  move: (target: Target) => void;
}

export function useMover(onMoved: () => void): Mover {
  const [outcome, setOutcome] = useState<Outcome>({});
  const move = async (target: Target) => {
    setOutcome({});
    try {
      const clock = await post<Clock>('/v1/clock', target);
      noteClock(clock);
      setOutcome({ movedTo: clock.now });
      onMoved();
    } catch (error) {
      setOutcome({ error: error as Error });
    }
  };
  return { ...outcome, move };
}
