// A slider through the history of the collection, and a field for an exact instant.
import { useComputed } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

import { now } from '../../api/clock';
import type { Collection } from '../../api/types';
import { ErrorNote } from '../../parts/notes';
import { timeText } from '../../parts/time';
import { beginOf, keepsHistory } from './policy';

const positions = 1_000;
const moved_after = 150;
const steps: [string, number][] = [
  ['−1 h', -3_600_000], ['−1 min', -60_000], ['−1 s', -1_000], ['+1 s', 1_000], ['+1 min', 60_000], ['+1 h', 3_600_000],
];

interface RangeProps {
  begin: number;
  end: number;
  at: number;
  // Without an instant: to now.
  onMove: (at?: number) => void;
}

function positionOf({ begin, end, at }: RangeProps): number {
  if (end <= begin) return positions;
  return Math.round((Math.min(Math.max(at - begin, 0), end - begin) / (end - begin)) * positions);
}

// Moves a little after the last change, so that no list is read for an instant that one only passes.
function Slider(props: RangeProps) {
  const { begin, end, at, onMove } = props;
  const [held, setHeld] = useState<number>();
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const millisAt = (position: number) => Math.round(begin + ((end - begin) * position) / positions);
  const slide = (position: number) => {
    setHeld(position);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setHeld(undefined);
      onMove(position === positions ? undefined : millisAt(position));
    }, moved_after);
  };
  const position = held ?? positionOf(props);
  const isNow = held === undefined ? at >= end : held === positions;
  const shown = isNow ? 'now' : timeText(held === undefined ? at : millisAt(held));
  return (
    <>
      <span class="hint">{timeText(begin)}</span>
      <input
        type="range"
        aria-label="Instant that the page shows"
        aria-valuetext={shown}
        min={0}
        max={positions}
        value={position}
        onInput={(event) => slide(Number(event.currentTarget.value))}
      />
      <output class="mono">{shown}</output>
    </>
  );
}

function Steps({ begin, end, at, onMove }: RangeProps) {
  const move = (to: number) => onMove(to >= end ? undefined : Math.max(to, begin));
  return (
    <>
      {steps.map(([title, millis]) => (
        <button
          key={title}
          type="button"
          disabled={millis < 0 ? at <= begin : at >= end}
          onClick={() => move(at + millis)}
        >
          {title}
        </button>
      ))}
    </>
  );
}

interface ExactFieldProps {
  asOf?: string;
  onMove: (asOf?: string) => void;
}

function ExactField({ asOf, onMove }: ExactFieldProps) {
  const [text, setText] = useState(asOf ?? '');
  useEffect(() => setText(asOf ?? ''), [asOf]);
  const submit = (event: Event) => {
    event.preventDefault();
    onMove(text.trim() || undefined);
  };
  return (
    <form class="bar" onSubmit={submit}>
      <label>
        Exact instant (UTC){' '}
        <input
          value={text}
          placeholder="2027-01-15T08:00:00.000003Z"
          size={28}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

interface TimeBarProps extends ExactFieldProps {
  policy?: Collection;
  error?: Error;
}

export function TimeBar({ asOf, policy, error, onMove }: TimeBarProps) {
  const end = useComputed(() => Math.floor(now.value / 1_000) * 1_000).value;
  if (policy?.keep_history_for === 0 && asOf === undefined) {
    return <p class="hint">No history is kept. Set <code>keep_history_for</code> to look at earlier instants.</p>;
  }
  const asked = asOf === undefined ? end : Date.parse(asOf);
  const at = Number.isNaN(asked) ? end : asked;
  const moveTo = (millis?: number) => onMove(millis === undefined ? undefined : new Date(millis).toISOString());
  const range = policy && keepsHistory(policy) && { begin: beginOf(policy, end), end, at, onMove: moveTo };
  return (
    <section class="time-bar" aria-label="Time">
      {range && <div class="bar"><Slider {...range} /><Steps {...range} /></div>}
      <ExactField asOf={asOf} onMove={onMove} />
      {error && <ErrorNote error={error} />}
    </section>
  );
}

export function PastNote({ asOf, onMove }: { asOf: string; onMove: (asOf?: string) => void }) {
  return (
    <p class="past" role="status">
      <strong>This is the past:</strong> the collection at <time dateTime={asOf}>{asOf}</time>. Nothing can be changed
      here, and each lifetime is what was left at that instant.{' '}
      <button type="button" onClick={() => onMove()}>Back to now</button>
    </p>
  );
}
