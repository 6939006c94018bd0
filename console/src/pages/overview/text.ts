// Numbers as text.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const byte_units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export const countText = (count: number) => whole.format(count);

// For the axis of a chart: `1.25K`.
export const compactText = (value: number) => compact.format(value);

// `1 document`, `1,200 documents`.
export const manyText = (count: number, noun: string) => `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;

export function rateText(perSecond: number): string {
  return perSecond >= 100 ? countText(perSecond) : perSecond.toFixed(1);
}

export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(byte_units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  return `${power === 0 || value >= 100 ? countText(value) : value.toFixed(1)} ${byte_units[power]}`;
}
