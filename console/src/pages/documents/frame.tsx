// The panel beside the table.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface FrameProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
}

// Its title gets the focus when it opens, so that the keyboard and a screen reader go on there.
export function PanelFrame({ title, children, onClose }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="panel" aria-label={title}>
      <div class="bar">
        <h2 ref={heading} tabIndex={-1}>{title}</h2>
        <button type="button" onClick={onClose}>Close</button>
      </div>
      {children}
    </section>
  );
}
