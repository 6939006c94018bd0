// A span of whole seconds, entered as a number and a unit, or one of a few words such as `never`.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

export type SpanValue = number | 'never' | 'forever' | null;

export interface SpanWord {
  value: SpanValue;
  text: string;
}

// From large to small.
export const span_units: [name: string, seconds: number][] = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
];
export const seconds_max = 2_147_483_647;
export const span_fault = 'It is a whole number of seconds, from 1 to 2,147,483,647.';

// The largest unit of which it is a whole number.
export function unitOf(seconds: number): [name: string, seconds: number] {
  return span_units.find(([, size]) => seconds >= size && seconds % size === 0) ?? span_units.at(-1)!;
}

interface Entry {
  choice: string;  // a unit, or the text of a word
  count: string;
}

function entryOf(value: SpanValue, words: SpanWord[]): Entry {
  const word = words.find((other) => other.value === value);
  if (word) return { choice: word.text, count: '1' };
  if (typeof value !== 'number') return { choice: span_units[0]![0], count: '' };
  const [choice, size] = unitOf(value);
  return { choice, count: String(value / size) };
}

// undefined: what is entered is no span.
function valueOf({ choice, count }: Entry, words: SpanWord[]): SpanValue | undefined {
  const word = words.find(({ text }) => text === choice);
  if (word) return word.value;
  const size = span_units.find(([name]) => name === choice)?.[1] ?? 1;
  const seconds = Number(count) * size;
  const fits = count.trim() !== '' && Number.isInteger(seconds) && seconds >= 1 && seconds <= seconds_max;
  return fits ? seconds : undefined;
}

interface PartProps {
  entry: Entry;
  onChange: (part: Partial<Entry>) => void;
  shared: { 'aria-describedby': string; 'aria-invalid': boolean };
}

function Count({ label, entry, onChange, shared }: PartProps & { label: string }) {
  return (
    <input
      {...shared}
      class="count"
      type="number"
      min={1}
      step="any"
      aria-label={`${label}, number`}
      value={entry.count}
      onInput={(event) => onChange({ count: event.currentTarget.value })}
    />
  );
}

function Choice({ id, entry, onChange, shared, texts }: PartProps & { id: string; texts: string[] }) {
  const choose = (choice: string) => onChange({ choice });
  return (
    <select {...shared} id={id} value={entry.choice} onChange={(event) => choose(event.currentTarget.value)}>
      {texts.map((text) => <option key={text} value={text}>{text}</option>)}
    </select>
  );
}

interface TtlFieldProps {
  label: string;
  initial: SpanValue;
  words: SpanWord[];
  onChange: (value: SpanValue | undefined) => void;
  hint?: ComponentChildren;
  error?: string;
}

export function TtlField({ label, initial, words, onChange, hint, error }: TtlFieldProps) {
  const id = useId();
  const [first] = useState(() => entryOf(initial, words));
  const [entry, setEntry] = useState(first);
  const change = (part: Partial<Entry>) => {
    const changed = { ...entry, ...part };
    setEntry(changed);
    onChange(valueOf(changed, words));
  };
  const texts = words.map(({ text }) => text);
  const isWrong = entry !== first && valueOf(entry, words) === undefined;
  const fault = isWrong ? span_fault : error;
  const shared = { 'aria-describedby': `${id}-hint ${id}-error`, 'aria-invalid': fault !== undefined };
  const part = { entry, onChange: change, shared };
  return (
    <div class="field">
      <span class="bar">
        <label for={id}>{label}</label>
        {!texts.includes(entry.choice) && <Count {...part} label={label} />}
        <Choice {...part} id={id} texts={[...texts, ...span_units.map(([name]) => name)]} />
      </span>
      <span id={`${id}-hint`} class="hint">{hint}</span>
      <span id={`${id}-error`} role="alert" class="error">{fault}</span>
    </div>
  );
}
