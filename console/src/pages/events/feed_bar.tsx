// What is above the events: where they begin, which are shown, pause.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { EventFilter, FeedBuffer } from './buffer';
import { CheckList, event_kinds } from './kinds';
import { positionOf } from './position';

interface AfterFormProps {
  after?: string;
  onChange: (after?: string) => void;
}

export function AfterForm({ after, onChange }: AfterFormProps) {
  const [text, setText] = useState(after ?? '');
  const read = (event: Event) => {
    event.preventDefault();
    onChange(positionOf(text.trim()) || undefined);
  };
  return (
    <form class="bar" onSubmit={read}>
      <label>
        Events after
        <input
          value={text}
          placeholder="now"
          aria-describedby="after-hint"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Read</button>
      <button type="button" onClick={() => onChange('0')}>All that are kept</button>
      <button type="button" onClick={() => onChange(undefined)}>From now on</button>
      <span id="after-hint" class="hint">
        A position, or a time such as <code>2027-01-15T08:00:00Z</code>
      </span>
    </form>
  );
}

interface FilterBarProps {
  filter: EventFilter;
  onChange: (filter: EventFilter) => void;
  children: ComponentChildren;  // beside the field of the id
}

export function FilterBar({ filter, onChange, children }: FilterBarProps) {
  return (
    <>
      <CheckList
        legend="Kinds (none chosen: all)"
        names={event_kinds}
        chosen={filter.kinds}
        onChange={(kinds) => onChange({ ...filter, kinds })}
      />
      <div class="bar">
        <label>
          Id contains
          <input
            type="search"
            value={filter.id}
            onInput={(event) => onChange({ ...filter, id: event.currentTarget.value })}
          />
        </label>
        {children}
      </div>
    </>
  );
}

interface PauseProps {
  buffer: FeedBuffer;
  isPaused: boolean;
  onChange: (isPaused: boolean) => void;
}

export function Pause({ buffer, isPaused, onChange }: PauseProps) {
  const waiting = buffer.waiting.length;
  return (
    <>
      <button type="button" class={isPaused ? 'main' : undefined} onClick={() => onChange(!isPaused)}>
        {isPaused ? 'Continue' : 'Pause'}
      </button>
      {isPaused && <span>{waiting === 1 ? '1 event waits' : `${waiting} events wait`}</span>}
      {isPaused && buffer.dropped > 0 && (
        <span class="hint">
          {buffer.dropped} older events were dropped, because there were too many. Read them again from a position.
        </span>
      )}
    </>
  );
}
