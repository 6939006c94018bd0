// A chart. Its caption says the same in words, since a screen reader cannot read the drawing.
import 'uplot/dist/uPlot.min.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { makePlot, type ChartInput, type Plot } from './chart-plot';
import { ErrorNote } from './notes';

interface ChartProps extends ChartInput {
  label: string;
  isSmall?: boolean;
  describe: (index: number) => string;  // one value, for the reader who points at it
  children: ComponentChildren;  // the caption
}

function usePlot(input: ChartInput, onPoint: (index?: number) => void) {
  const area = useRef<HTMLDivElement>(null);
  const latest = useRef(input);
  const plot = useRef<Plot | undefined>(undefined);
  const [error, setError] = useState<Error>();
  latest.current = input;
  useEffect(() => {
    let has_ended = false;
    makePlot(area.current!, () => latest.current, onPoint).then(
      (made) => {
        if (has_ended) made.end();
        else plot.current = made;
      },
      () => setError(new Error('The chart could not be loaded. Reload the page to try again.')),
    );
    return () => {
      has_ended = true;
      plot.current?.end();
      plot.current = undefined;
    };
  }, []);
  useEffect(() => plot.current?.update(), [input.xs, input.ys]);
  return { area, error };
}

export function Chart({ label, isSmall, describe, children, ...input }: ChartProps) {
  const [pointed, setPointed] = useState<number>();
  const { area, error } = usePlot(input, setPointed);
  const isOnValue = pointed !== undefined && pointed < input.xs.length;
  return (
    <figure class="chart" aria-label={label}>
      <div ref={area} class={isSmall ? 'chart-area small' : 'chart-area'} aria-hidden="true" />
      {error && <ErrorNote error={error} />}
      <figcaption>
        <p class="chart-value hint" aria-hidden="true">{isOnValue && describe(pointed)}</p>
        {children}
      </figcaption>
    </figure>
  );
}
