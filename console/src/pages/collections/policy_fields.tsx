// Fields of the policy editor, one for each kind of member.
import { useId, useState } from 'preact/hooks';

import type { Policy } from '../../api/types';
import { TtlField, type SpanValue } from '../../parts/ttl_field';
import { stamp_words, type FlagRow, type SpanRow, type StampRow } from './policy_members';

interface FieldProps<Row, Value> {
  row: Row;
  initial: Value;
  error?: string;
  // undefined: what is entered is no value.
  onChange: (value: Value | undefined) => void;
}

function About({ row }: { row: { name: string; about: string } }) {
  return <>{row.about} <code>{row.name}</code></>;
}

export function SpanField({ row, initial, error, onChange }: FieldProps<SpanRow, SpanValue>) {
  return (
    <TtlField
      label={row.title}
      initial={initial}
      words={row.words}
      onChange={onChange}
      hint={<About row={row} />}
      error={error}
    />
  );
}

type Stamp = Policy['stamp_ttl'];
type When = NonNullable<Stamp>['when'];

export function StampField({ row, initial, error, onChange }: FieldProps<StampRow, Stamp>) {
  const [seconds, setSeconds] = useState<SpanValue | undefined>(initial?.seconds ?? null);
  const [when, setWhen] = useState<When>(initial?.when ?? 'creation');
  const change = (changed: SpanValue | undefined, from: When) => {
    setSeconds(changed);
    setWhen(from);
    onChange(typeof changed === 'number' ? { seconds: changed, when: from } : changed === null ? null : undefined);
  };
  return (
    <>
      <TtlField
        label={row.title}
        initial={initial?.seconds ?? null}
        words={stamp_words}
        onChange={(value) => change(value, when)}
        hint={<About row={row} />}
        error={error}
      />
      {seconds !== null && (
        <label class="field">
          It counts from
          <select value={when} onChange={(event) => change(seconds, event.currentTarget.value as When)}>
            <option value="creation">the creation</option>
            <option value="every_write">every write</option>
          </select>
        </label>
      )}
    </>
  );
}

export function FlagField({ row, initial, error, onChange }: FieldProps<FlagRow, boolean>) {
  const id = useId();
  const [isOn, setIsOn] = useState(initial);
  const change = (changed: boolean) => {
    setIsOn(changed);
    onChange(changed);
  };
  return (
    <div class="field">
      <label>
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby={`${id}-hint ${id}-error`}
          aria-invalid={error !== undefined}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        {row.title}
      </label>
      <span id={`${id}-hint`} class="hint"><About row={row} /></span>
      <span id={`${id}-error`} role="alert" class="error">{error}</span>
    </div>
  );
}
