// Tabs, as a keyboard and a screen reader know them: arrow keys go from one to the next.
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId } from 'preact/hooks';

export interface Tab {
  id: string;
  title: string;
  show: () => ComponentChildren;
}

interface TabsProps {
  label: string;
  tabs: Tab[];
  open: string;  // the first tab is open if none has this id
  onOpen: (id: string) => void;
}

function indexAfter(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index + count - 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}

export function Tabs({ label, tabs, open, onOpen }: TabsProps) {
  const base = useId();
  const index = Math.max(0, tabs.findIndex(({ id }) => id === open));
  const opened = tabs[index]!;
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const next = indexAfter(event.key, index, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
    onOpen(tabs[next]!.id);
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" onKeyDown={move}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === opened.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === opened.id ? 0 : -1}
            onClick={() => onOpen(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div key={opened.id} role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${opened.id}`} tabIndex={0}>
        {opened.show()}
      </div>
    </>
  );
}
