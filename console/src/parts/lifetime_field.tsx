// The choice of a lifetime, as a write of the native API takes it.
import { now } from '../api/clock';

export type Lifetime =
  | { kind: 'keep' | 'never' | 'inherit' }
  | { kind: 'ttl'; amount: string; unit: number }
  | { kind: 'expires_at'; at: string };
type Kind = Lifetime['kind'];

export const keep: Lifetime = { kind: 'keep' };

export const ttl_seconds_max = 2_147_483_647;
const units: [string, number][] = [['seconds', 1], ['minutes', 60], ['hours', 3_600], ['days', 86_400]];
const titles: [Kind, string][] = [
  ['keep', ''],
  ['ttl', 'Expires after'],
  ['expires_at', 'Expires at'],
  ['never', 'Never expires'],
  ['inherit', 'As the default of the collection'],
];

function secondsOf({ amount, unit }: { amount: string; unit: number }): number {
  return amount.trim() === '' ? NaN : Number(amount) * unit;
}

// What is wrong with a choice, if something is.
export function lifetimeProblem(lifetime: Lifetime): string | undefined {
  if (lifetime.kind === 'ttl') {
    const seconds = secondsOf(lifetime);
    const isRight = Number.isInteger(seconds) && seconds >= 1 && seconds <= ttl_seconds_max;
    return isRight ? undefined : `The span must be a whole number of seconds from 1 to ${ttl_seconds_max}.`;
  }
  if (lifetime.kind === 'expires_at' && Number.isNaN(Date.parse(lifetime.at))) {
    return 'The time must be as in 2027-01-15T08:00:00Z.';
  }
  return undefined;
}

// The parameters of the write.
export function lifetimeQuery(lifetime: Lifetime): Record<string, string | number | boolean> {
  switch (lifetime.kind) {
    case 'keep': return {};
    case 'ttl': return { ttl: secondsOf(lifetime) };
    case 'expires_at': return { expires_at: lifetime.at.trim() };
    default: return { [lifetime.kind]: true };
  }
}

function firstOf(kind: Kind): Lifetime {
  if (kind === 'ttl') return { kind, amount: '1', unit: 3_600 };
  if (kind === 'expires_at') return { kind, at: `${new Date(now.peek() + 3_600_000).toISOString().slice(0, 19)}Z` };
  return { kind };
}

function Details({ value, onChange }: { value: Lifetime; onChange: (lifetime: Lifetime) => void }) {
  if (value.kind === 'ttl') {
    return (
      <>
        <input
          type="number"
          aria-label="Amount"
          min={1}
          value={value.amount}
          onInput={(event) => onChange({ ...value, amount: event.currentTarget.value })}
        />
        <select
          aria-label="Unit"
          value={String(value.unit)}
          onChange={(event) => onChange({ ...value, unit: Number(event.currentTarget.value) })}
        >
          {units.map(([name, seconds]) => <option key={name} value={String(seconds)}>{name}</option>)}
        </select>
      </>
    );
  }
  if (value.kind !== 'expires_at') return null;
  return (
    <input
      aria-label="Time (UTC)"
      value={value.at}
      placeholder="2027-01-15T08:00:00Z"
      onInput={(event) => onChange({ ...value, at: event.currentTarget.value })}
    />
  );
}

interface LifetimeFieldProps {
  value: Lifetime;
  onChange: (lifetime: Lifetime) => void;
  // The name of the choice that says nothing about the lifetime.
  keepTitle?: string;
  isDisabled?: boolean;
}

export function LifetimeField({ value, onChange, keepTitle = 'Keep as it is', isDisabled }: LifetimeFieldProps) {
  const problem = lifetimeProblem(value);
  return (
    <fieldset class="lifetime" disabled={isDisabled}>
      <legend>Lifetime</legend>
      <div class="bar">
        <select
          aria-label="Lifetime"
          value={value.kind}
          onChange={(event) => onChange(firstOf(event.currentTarget.value as Kind))}
        >
          {titles.map(([kind, title]) => <option key={kind} value={kind}>{title || keepTitle}</option>)}
        </select>
        <Details value={value} onChange={onChange} />
      </div>
      {problem && <p role="alert" class="error">{problem}</p>}
    </fieldset>
  );
}
