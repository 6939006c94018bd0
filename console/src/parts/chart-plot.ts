// Draws a chart with uPlot, which is loaded when the first chart is shown. Its colours are those of the page.
import type uPlot from 'uplot';

export interface ChartInput {
  kind: 'bars' | 'area';
  xs: number[];  // ascending
  ys: number[];
  xRange: [number, number];
  xSteps: number[];  // the distances that the marks of the x axis may have
  xMark: (x: number) => string;
  yMark: (y: number) => string;
}

export interface Plot {
  update: () => void;
  end: () => void;
}

const mark_distance = 80;
const x_axis_height = 32;
const y_axis_width = 64;
const headroom = 1.1;
const whole_steps = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

// uPlot asks again each time it draws.
const colour = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const sizeOf = (area: HTMLElement) => ({ width: area.clientWidth, height: area.clientHeight });

function axesOf(latest: () => ChartInput): uPlot.Axis[] {
  const line = { stroke: colour('--line'), width: 1 };
  const axis: uPlot.Axis = { stroke: colour('--hint'), grid: line, ticks: line };
  return [
    {
      ...axis,
      size: x_axis_height,
      space: mark_distance,
      incrs: () => latest().xSteps,
      values: (_, splits) => splits.map((x) => latest().xMark(x)),
    },
    {
      ...axis,
      size: y_axis_width,
      incrs: latest().kind === 'bars' ? whole_steps : undefined,
      values: (_, splits) => splits.map((y) => latest().yMark(y)),
    },
  ];
}

function seriesOf(Uplot: typeof uPlot, kind: ChartInput['kind']): uPlot.Series {
  const series: uPlot.Series = { stroke: colour('--main'), points: { show: false } };
  if (kind === 'area') return { ...series, width: 2, fill: colour('--mark') };
  return { ...series, width: 0, fill: colour('--main'), paths: Uplot.paths.bars?.({ size: [0.8, 48] }) };
}

function optionsOf(
  Uplot: typeof uPlot,
  area: HTMLElement,
  latest: () => ChartInput,
  onPoint: (index?: number) => void,
): uPlot.Options {
  return {
    ...sizeOf(area),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false } },
    scales: {
      x: { time: false, range: () => latest().xRange },
      y: { range: (_, __, max) => [0, max > 0 ? max * headroom : 1] },
    },
    axes: axesOf(latest),
    series: [{}, seriesOf(Uplot, latest().kind)],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? undefined)] },
  };
}

// Fills `area` with the chart that `latest` describes. `onPoint` receives the index of the value under the pointer.
export async function makePlot(
  area: HTMLElement,
  latest: () => ChartInput,
  onPoint: (index?: number) => void,
): Promise<Plot> {
  const { default: Uplot } = await import('uplot');
  const data = (): uPlot.AlignedData => [latest().xs, latest().ys];
  const plot = new Uplot(optionsOf(Uplot, area, latest, onPoint), data(), area);
  const resizing = new ResizeObserver(() => area.clientWidth > 0 && plot.setSize(sizeOf(area)));
  resizing.observe(area);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const recolour = () => plot.redraw(false);
  scheme.addEventListener('change', recolour);
  return {
    update: () => plot.setData(data()),
    end: () => {
      resizing.disconnect();
      scheme.removeEventListener('change', recolour);
      plot.destroy();
    },
  };
}
