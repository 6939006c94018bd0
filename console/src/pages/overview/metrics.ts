// Reads the text format of Prometheus, in which /metrics answers.

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

export type Metrics = Map<string, Sample[]>;

// `name{label="text",...} value`, perhaps with a timestamp behind.
const sample_pattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const label_pattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes: Record<string, string> = { n: '\n' };

function labelsOf(text = ''): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(label_pattern)) {
    labels[name!] = value!.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
  }
  return labels;
}

// Lines that are no samples, such as comments, are skipped.
export function parseMetrics(text: string): Metrics {
  const metrics: Metrics = new Map();
  for (const line of text.split('\n')) {
    const [, name, labels, value] = sample_pattern.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const sample = { labels: labelsOf(labels), value: Number(value.replace('Inf', 'Infinity')) };
    const samples = metrics.get(name);
    if (samples) samples.push(sample);
    else metrics.set(name, [sample]);
  }
  return metrics;
}

// The sum over all labels; undefined if the server does not offer the metric.
export function valueOf(metrics: Metrics, name: string): number | undefined {
  return metrics.get(name)?.reduce((sum, { value }) => sum + value, 0);
}

export function largestOf(metrics: Metrics, name: string): number | undefined {
  const samples = metrics.get(name);
  return samples && Math.max(0, ...samples.map(({ value }) => value));
}

export function labelOf(metrics: Metrics, name: string, label: string): string | undefined {
  return metrics.get(name)?.[0]?.labels[label];
}
