// Buttons that move the clock by usual spans, and to the next expiration.
import { spanText } from '../../parts/time';
import { exactText } from './exact';
import type { Mover } from './move';

const steps = [
  { title: '1 second', seconds: 1 },
  { title: '1 minute', seconds: 60 },
  { title: '1 hour', seconds: 3_600 },
  { title: '1 day', seconds: 86_400 },
  { title: '60 days', seconds: 5_184_000 },
];

export function Steps({ mover }: { mover: Mover }) {
  return (
    <div class="bar" role="group" aria-label="Move forward by">
      {steps.map(({ title, seconds }) => (
        <button key={title} type="button" onClick={() => mover.move({ advance_seconds: seconds })}>
          + {title}
        </button>
      ))}
    </div>
  );
}

function distanceText(from: string, to: string): string {
  const millis = Date.parse(to) - Date.parse(from);
  return millis < 100 ? 'in less than 0.1 s' : `in ${spanText(millis)}`;
}

interface NextExpirationProps {
  mover: Mover;
  now: string;
  due: string | null;  // the next expiration that the sweeper knows
}

// The button stays where it is, so that the keyboard's focus does, too.
export function NextExpiration({ mover, now, due }: NextExpirationProps) {
  if (due === null) return <p class="hint">The sweeper knows of no expiration to come.</p>;
  const isAhead = exactText(due) > exactText(now);
  return (
    <p class="bar">
      <button type="button" class="main" aria-disabled={!isAhead} onClick={() => isAhead && mover.move({ set: due })}>
        To the next expiration
      </button>
      <span>
        at <time dateTime={due}>{exactText(due)}</time>,
        {' '}{isAhead ? distanceText(now, due) : 'which the sweeper records now'}
      </span>
    </p>
  );
}
