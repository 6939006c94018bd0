// Server-sent events by fetch: EventSource cannot send a key.
import { fetchAnswer, type CallOptions } from './client';
import { now } from './clock';

export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

export function parseEvent(block: string): ServerEvent | undefined {
  const event: ServerEvent = { id: '', event: 'message', data: '' };
  let has_data = false;
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;  // a comment, such as a ping
    const value = line.slice(colon + 1).replace(/^ /, '');
    const name = line.slice(0, colon);
    if (name === 'id') event.id = value;
    if (name === 'event') event.event = value;
    if (name === 'data') {
      event.data += (has_data ? '\n' : '') + value;
      has_data = true;
    }
  }
  return event.id || event.data || event.event !== 'message' ? event : undefined;
}

// Ends when the server ends the stream; fails as fetchAnswer() does.
export async function readStream(path: string, options: CallOptions, onEvent: (event: ServerEvent) => void): Promise<void> {
  const headers = { ...options.headers, Accept: 'text/event-stream' };
  const response = await fetchAnswer('GET', path, { ...options, headers });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) onEvent(event);
    }
  }
}

const again_after = 1_000;

function becomesVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
    look();
  });
}

// Aborts with `signal`, and when the page is hidden: browsers open few connections to a server.
function whileVisible(signal: AbortSignal): AbortController {
  const ending = new AbortController();
  const look = () => {
    if (!document.hidden && !signal.aborted) return;
    document.removeEventListener('visibilitychange', look);
    ending.abort();
  };
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', look, { once: true });
  return ending;
}

// Follows a feed until `options.signal` aborts, and continues after the last event when its stream ends.
// `onState` receives the reason while it is interrupted.
export async function follow(
  path: string,
  options: CallOptions & { signal: AbortSignal },
  onEvent: (event: ServerEvent) => void,
  onState: (interrupted?: Error) => void,
): Promise<void> {
  let last: string | undefined;
  while (!options.signal.aborted) {
    await becomesVisible(options.signal);
    const reading = whileVisible(options.signal);
    try {
      onState();
      const query = { ...options.query, ...(last ? { after: last } : {}) };
      await readStream(path, { ...options, query, signal: reading.signal }, (event) => {
        if (event.id) last = event.id;
        onEvent(event);
      });
    } catch (error) {
      if (options.signal.aborted) return;
      if (!reading.signal.aborted) onState(error as Error);
      // Without a position a stream begins now, and would skip what happens while the page is hidden.
      else if (options.query?.after === undefined) last ??= `${Math.trunc(now.value * 1_000)}.0`;
    }
    await new Promise((resolve) => setTimeout(resolve, again_after));
  }
}
