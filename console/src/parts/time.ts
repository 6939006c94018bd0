// Times and spans as text.

const units: [string, number][] = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1_000]];

// `2027-01-15 08:00:00` in UTC, as the server's own texts.
export function timeText(millis: number, to: 'seconds' | 'millis' = 'seconds'): string {
  if (!Number.isFinite(millis)) return '';
  const text = new Date(millis).toISOString();
  return text.slice(0, to === 'seconds' ? 19 : 23).replace('T', ' ');
}

// The two largest units: `2 d 3 h`, `4.2 s`.
export function spanText(millis: number): string {
  const rest = Math.max(0, millis);
  if (rest < 10_000) return `${(rest / 1_000).toFixed(1)} s`;
  const first = units.findIndex(([, size]) => rest >= size);
  const [name, size] = units[first]!;
  const text = `${Math.floor(rest / size)} ${name}`;
  const smaller = units[first + 1];
  if (!smaller) return text;
  const more = Math.floor((rest % size) / smaller[1]);
  return more > 0 ? `${text} ${more} ${smaller[0]}` : text;
}

// A span of seconds in a policy.
export function ttlText(seconds: number | 'never' | 'forever' | null): string {
  return typeof seconds === 'number' ? spanText(seconds * 1_000) : (seconds ?? 'none');
}
