// The kinds of events, and a choice of some of them.
import type { EventKind } from '../../api/types';

export const event_kinds: EventKind[] = ['created', 'replaced', 'removed', 'expired', 'restored', 'forgotten'];

interface CheckListProps<Name extends string> {
  legend: string;
  names: readonly Name[];
  chosen: readonly Name[];
  onChange: (chosen: Name[]) => void;
}

export function CheckList<Name extends string>({ legend, names, chosen, onChange }: CheckListProps<Name>) {
  const toggle = (name: Name, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name));
  return (
    <fieldset class="bar">
      <legend>{legend}</legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) => toggle(name, event.currentTarget.checked)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
