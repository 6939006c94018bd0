// Times to the microsecond, which a Date cannot hold.

// With all six digits of the fraction, so that a later time is a greater text: `2027-01-15 08:00:00.000003`.
export function exactText(rfc3339: string): string {
  const [seconds = '', fraction = ''] = rfc3339.replace('T', ' ').replace('Z', '').split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}
