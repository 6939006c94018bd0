// A small chart of what has expired since the page was opened.
import { useMemo } from 'preact/hooks';

import { Chart } from '../../parts/chart';
import { Empty } from '../../parts/notes';
import { spanText } from '../../parts/time';
import type { Expired, Readings } from './readings';
import { compactText, manyText, rateText } from './text';

const seconds_min = 60;
const mark_steps = [10, 20, 30, 60, 120, 300, 600, 1_200];

const agoText = (seconds: number) => (seconds >= 0 ? 'now' : `−${spanText(-seconds * 1_000)}`);

function sentenceOf(expired: Expired[], seconds: number): string {
  const sum = expired.reduce((all, { documents }) => all + documents, 0);
  const most = Math.max(...expired.map(({ perSecond }) => perSecond));
  const during = `within the last ${spanText(seconds * 1_000)}, while this page was open`;
  return sum === 0
    ? `No expiration was recorded ${during}.`
    : `${manyText(sum, 'expiration')} recorded ${during}, at most ${rateText(most)} per second.`;
}

export function Recent({ readings: { expired } }: { readings: Readings }) {
  const end = expired.at(-1)?.at ?? 0;
  const xs = useMemo(() => expired.map(({ at }) => (at - end) / 1_000), [expired]);
  const ys = useMemo(() => expired.map(({ perSecond }) => perSecond), [expired]);
  const seconds = -(xs[0] ?? 0);
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">What has expired lately</h2>
      {expired.length < 2 ? <Empty>Counting…</Empty> : (
        <Chart
          label="Expirations per second, since the page was opened"
          kind="area"
          isSmall
          xs={xs}
          ys={ys}
          xRange={[-Math.max(seconds_min, seconds), 0]}
          xSteps={mark_steps}
          xMark={agoText}
          yMark={compactText}
          describe={(index) => `${agoText(xs[index] ?? 0)}: ${rateText(ys[index] ?? 0)} per second`}
        >
          <p>{sentenceOf(expired, seconds)}</p>
        </Chart>
      )}
    </section>
  );
}
