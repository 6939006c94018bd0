// useFeed(): follows the feed of a collection, and draws what arrives a few times a second.
import { useEffect, useState } from 'preact/hooks';

import { ApiError } from '../../api/client';
import { follow, type ServerEvent } from '../../api/stream';
import type { FeedEvent } from '../../api/types';
import { FeedBuffer, no_filter, type EventFilter } from './buffer';

const drawn_every = 250;
const refusals_that_pass = [408, 429];

export interface Feed {
  buffer: FeedBuffer;
  filter: EventFilter;
  setFilter: (filter: EventFilter) => void;
  problem?: Error;
  // Whether the problem ended the feed: it does not continue by itself.
  hasEnded: boolean;
  startAgain: () => void;
}

// Whether the same request would be refused again.
function isFinal(error?: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status >= 400 && error.status < 500 && !refusals_that_pass.includes(error.status);
}

// Returns what receives the events of a stream.
function receiver(buffer: FeedBuffer): (event: ServerEvent) => void {
  let last = '';
  return (event) => {
    if (event.event === 'gap') buffer.add({ kind: 'gap', position: last });
    else if (event.event !== 'message') buffer.add(JSON.parse(event.data) as FeedEvent);
    if (event.id) last = event.id;
  };
}

// Fills the buffer, from the start again for each `round`.
function useStream(buffer: FeedBuffer, path: string, after: string | undefined, round: number): Error | undefined {
  const [problem, setProblem] = useState<Error>();
  useEffect(() => {
    const ending = new AbortController();
    const receive = receiver(buffer);
    buffer.clear();
    setProblem(undefined);
    const onEvent = (event: ServerEvent) => {
      if (ending.signal.aborted) return;
      setProblem(undefined);
      receive(event);
    };
    // A problem stays on the page until the next event: the server sends one when a stream begins.
    const onState = (error?: Error) => {
      if (error) setProblem(error);
      if (isFinal(error)) ending.abort();
    };
    void follow(path, { query: { after }, signal: ending.signal }, onEvent, onState);
    return () => ending.abort();
  }, [path, after, round]);
  return problem;
}

export function useFeed(path: string, after: string | undefined, isPaused: boolean): Feed {
  const [buffer] = useState(() => new FeedBuffer());
  const [filter, setFilter] = useState(no_filter);
  const [round, setRound] = useState(0);
  const [, setDrawn] = useState(0);
  const problem = useStream(buffer, path, after, round);
  useEffect(() => {
    const draw = () => {
      if (!isPaused) buffer.showWaiting();
      setDrawn(buffer.changes);
    };
    draw();
    const timer = setInterval(draw, drawn_every);
    return () => clearInterval(timer);
  }, [isPaused]);
  const filterBy = (changed: EventFilter) => {
    buffer.filterBy(changed);
    setFilter(changed);
  };
  const startAgain = () => setRound((n) => n + 1);
  return { buffer, filter, setFilter: filterBy, problem, hasEnded: isFinal(problem), startAgain };
}
