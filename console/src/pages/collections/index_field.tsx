// One field of a new index.
import { useId } from 'preact/hooks';

export interface FieldDraft {
  path: string;
  order: 'asc' | 'desc';
  each: boolean;
}

export const first_field: FieldDraft = { path: '', order: 'asc', each: false };

interface FieldRowProps {
  number: number;
  field: FieldDraft;
  error?: string;
  onChange: (field: FieldDraft) => void;
  onRemove?: () => void;
}

function Options({ field, onChange }: Pick<FieldRowProps, 'field' | 'onChange'>) {
  const changeOrder = (order: string) => onChange({ ...field, order: order === 'desc' ? 'desc' : 'asc' });
  return (
    <>
      <label>
        Order
        <select value={field.order} onChange={(event) => changeOrder(event.currentTarget.value)}>
          <option value="asc">ascending</option>
          <option value="desc">descending</option>
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={field.each}
          onChange={(event) => onChange({ ...field, each: event.currentTarget.checked })}
        />
        each item of an array
      </label>
    </>
  );
}

export function FieldRow({ number, field, error, onChange, onRemove }: FieldRowProps) {
  const id = useId();
  return (
    <fieldset>
      <legend>Field {number}</legend>
      <div class="bar">
        <label>
          Path
          <input
            spellcheck={false}
            placeholder="address.city or @written_at"
            value={field.path}
            aria-describedby={id}
            aria-invalid={error !== undefined}
            onInput={(event) => onChange({ ...field, path: event.currentTarget.value })}
          />
        </label>
        <Options field={field} onChange={onChange} />
        {onRemove && <button type="button" class="quiet" onClick={onRemove}>Remove</button>}
      </div>
      <span id={id} role="alert" class="error">{error}</span>
    </fieldset>
  );
}
