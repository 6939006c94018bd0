// Forms that move the clock by any span, and to any instant.
import { useState } from 'preact/hooks';

import type { Mover } from './move';

interface FormProps {
  mover: Mover;
}

const units = [
  { title: 'seconds', seconds: 1 },
  { title: 'minutes', seconds: 60 },
  { title: 'hours', seconds: 3_600 },
  { title: 'days', seconds: 86_400 },
];

// The value of a field for date and time, which has no seconds if they are 0.
const rfc3339Of = (value: string) => `${value.length === 16 ? `${value}:00` : value}Z`;

export function SpanForm({ mover }: FormProps) {
  const [amount, setAmount] = useState('10');
  const [seconds, setSeconds] = useState(60);
  const submit = (event: Event) => {
    event.preventDefault();
    mover.move({ advance_seconds: Number(amount) * seconds });
  };
  return (
    <form class="bar" onSubmit={submit}>
      <label>
        Move by
        <input
          type="number"
          min="0"
          step="any"
          required
          value={amount}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <select aria-label="Unit" value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
        {units.map((unit) => <option key={unit.title} value={unit.seconds}>{unit.title}</option>)}
      </select>
      <button type="submit">Move</button>
    </form>
  );
}

export function InstantForm({ mover }: FormProps) {
  const [instant, setInstant] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    mover.move({ set: rfc3339Of(instant) });
  };
  return (
    <form class="bar" onSubmit={submit}>
      <label>
        Move to (UTC)
        <input
          type="datetime-local"
          step="0.001"
          required
          value={instant}
          onInput={(event) => setInstant(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Set</button>
    </form>
  );
}
