// The server's time, and how to move it if it is virtual.
import { computed } from '@preact/signals';

import { get } from '../../api/client';
import { noteClock, now, type Clock as ClockState } from '../../api/clock';
import { useLoad } from '../../api/load';
import { ErrorNote } from '../../parts/notes';
import { timeText } from '../../parts/time';
import { exactText } from './exact';
import { InstantForm, SpanForm } from './forms';
import { useMover, type Mover } from './move';
import { NextExpiration, Steps } from './steps';

interface Sweeper {
  next_due: string | null;
  expired: number;
}

const read_every = 2_000;
const second = computed(() => timeText(now.value));

async function readClock(signal: AbortSignal): Promise<ClockState> {
  const clock = await get<ClockState>('/v1/clock', { signal });
  noteClock(clock);
  return clock;
}

function Result({ mover }: { mover: Mover }) {
  return (
    <>
      <p role="status">{mover.movedTo && `The clock was moved to ${exactText(mover.movedTo)}.`}</p>
      {mover.error && <ErrorNote error={mover.error} />}
    </>
  );
}

function VirtualClock({ clock, onMoved }: { clock: ClockState; onMoved: () => void }) {
  const sweeper = useLoad((signal) => get<Sweeper>('/v1/sweeper', { signal }), [], read_every);
  const mover = useMover(() => {
    onMoved();
    sweeper.reload();
  });
  return (
    <>
      <p class="server-clock">{exactText(clock.now)} UTC</p>
      <p>This clock is virtual: it stands still until you move it. It never goes back.</p>
      <h2>Move it</h2>
      <Steps mover={mover} />
      {sweeper.error && <ErrorNote error={sweeper.error} />}
      {sweeper.data && <NextExpiration mover={mover} now={clock.now} due={sweeper.data.next_due} />}
      <SpanForm mover={mover} />
      <InstantForm mover={mover} />
      <Result mover={mover} />
      {sweeper.data && (
        <p class="hint">Expirations recorded since the server started: {sweeper.data.expired.toLocaleString('en')}</p>
      )}
    </>
  );
}

function SystemClock() {
  return (
    <>
      <p class="server-clock">{second.value} UTC</p>
      <p>
        This is the machine's clock, which cannot be moved; to try out lifetimes, start a server with a virtual clock:
        {' '}<code>mayfly serve --clock virtual --data :memory:</code>
      </p>
    </>
  );
}

export function Clock() {
  const { data: clock, error, reload } = useLoad(readClock, [], read_every);
  return (
    <>
      <h1>Clock</h1>
      {error && <ErrorNote error={error} />}
      {clock?.kind === 'virtual' && <VirtualClock clock={clock} onMoved={reload} />}
      {clock?.kind === 'system' && <SystemClock />}
    </>
  );
}
