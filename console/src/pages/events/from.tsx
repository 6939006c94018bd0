// From when on events are sent: now, all that are kept, or an instant in UTC.
import { now } from '../../api/clock';

export interface From {
  kind: 'now' | 'beginning' | 'instant';
  at: string;  // as an input of dates has it: `2027-01-15T08:00`, with seconds unless they are 0
}

// As the API has it.
export function fromText({ kind, at }: From): string {
  if (kind !== 'instant') return kind;
  return at.length === 'yyyy-mm-ddThh:mm'.length ? `${at}:00Z` : `${at}Z`;
}

export function FromField({ from, onChange }: { from: From; onChange: (from: From) => void }) {
  const choose = (kind: From['kind']) =>
    onChange({ kind, at: from.at || new Date(now.peek()).toISOString().slice(0, 19) });
  return (
    <>
      <label>
        From
        <select value={from.kind} onChange={(event) => choose(event.currentTarget.value as From['kind'])}>
          <option value="now">now on</option>
          <option value="beginning">the oldest event that is kept</option>
          <option value="instant">an instant</option>
        </select>
      </label>
      {from.kind === 'instant' && (
        <label>
          Instant (UTC)
          <input
            type="datetime-local"
            step="1"
            required
            value={from.at}
            onInput={(event) => onChange({ ...from, at: event.currentTarget.value })}
          />
        </label>
      )}
    </>
  );
}
