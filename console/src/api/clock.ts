// The server's time: everything that counts down follows it, also a virtual clock.
import { signal } from '@preact/signals';

import { get } from './client';

export interface Clock {
  now: string;
  kind: 'system' | 'virtual';
}

export const kind = signal<Clock['kind']>('system');
// Milliseconds since 1970 by the server's clock; changes four times a second.
export const now = signal(Date.now());

const looked_at_every = 2_000;
const shown_every = 250;
// The server's time at `at` by performance.now().
let known = { millis: Date.now(), at: performance.now() };

function show() {
  const passed = kind.value === 'virtual' ? 0 : performance.now() - known.at;
  now.value = known.millis + passed;
}

export function noteClock(clock: Clock): void {
  kind.value = clock.kind;
  known = { millis: Date.parse(clock.now), at: performance.now() };
  show();
}

export async function lookAtClock(): Promise<void> {
  noteClock(await get<Clock>('/v1/clock'));
}

// Call it once, when the console starts.
export function followClock(): void {
  const look = () => {
    if (!document.hidden) lookAtClock().catch(() => {});
  };
  look();
  setInterval(look, looked_at_every);
  setInterval(() => {
    if (!document.hidden) show();
  }, shown_every);
}
