// The fields of a new subscription about its target.
import type { Draft } from './draft';

export interface FieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

function WebhookFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <label>
        URL
        <input
          type="url"
          required
          size={40}
          placeholder="https://hooks.example.com/mayfly"
          value={draft.url}
          onInput={(event) => onChange({ url: event.currentTarget.value })}
        />
      </label>
      <label>
        Secret
        <input
          type="password"
          autocomplete="new-password"
          minLength={16}
          placeholder="the server creates one"
          value={draft.secret}
          onInput={(event) => onChange({ secret: event.currentTarget.value })}
        />
      </label>
      <label>
        Messages in a body at most
        <input
          type="number"
          min={1}
          max={100}
          placeholder="one"
          value={draft.batchMax}
          onInput={(event) => onChange({ batchMax: event.currentTarget.value })}
        />
      </label>
    </>
  );
}

function NatsFields({ draft, onChange }: FieldsProps) {
  return (
    <label>
      Subject
      <input
        placeholder="as nats.subject says"
        value={draft.subject}
        onInput={(event) => onChange({ subject: event.currentTarget.value })}
      />
    </label>
  );
}

export function TargetFields({ draft, onChange }: FieldsProps) {
  return (
    <fieldset class="bar">
      <legend>Target</legend>
      {(['webhook', 'nats'] as const).map((target) => (
        <label key={target}>
          <input
            type="radio"
            name="target"
            checked={draft.target === target}
            onChange={() => onChange({ target })}
          />
          {target === 'webhook' ? 'Webhook' : 'NATS'}
        </label>
      ))}
      {draft.target === 'webhook'
        ? <WebhookFields draft={draft} onChange={onChange} />
        : <NatsFields draft={draft} onChange={onChange} />}
    </fieldset>
  );
}
