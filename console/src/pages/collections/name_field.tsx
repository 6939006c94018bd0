// The name of something new.
import { useId } from 'preact/hooks';

interface NameFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string;
  placeholder?: string;
}

export function NameField({ label, value, onChange, error, placeholder }: NameFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label>
        {label}
        <input
          required
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={value}
          aria-describedby={`${id}-error`}
          aria-invalid={error !== undefined}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      <span id={`${id}-error`} role="alert" class="error">{error}</span>
    </div>
  );
}
