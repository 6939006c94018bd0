// Numbers of one collection: its living documents, and the next that expire.
import { get, pathOf } from '../../api/client';
import type { Forecast } from '../../api/types';
import { Countdown } from '../../parts/countdown';
import { useLoadInTurn } from './in_turn';
import { countText } from './words';

interface Place {
  database: string;
  collection: string;
}

type Slot = Forecast['slots'][number];

function NotKnown({ error }: { error: Error }) {
  return <span class="error" title={error.message}>not known</span>;
}

export function LivingCount({ database, collection }: Place) {
  const { data, error } = useLoadInTurn(
    (signal) => get<{ count: number }>(pathOf(database, collection, 'count'), { signal }),
    [database, collection],
  );
  if (error) return <NotKnown error={error} />;
  return <>{data ? countText(data.count) : '…'}</>;
}

const searched = [
  { slot: 'hour', slots: 48 },
  { slot: 'day', slots: 400 },
];

async function findNextSlot({ database, collection }: Place, signal: AbortSignal): Promise<{ found?: Slot }> {
  for (const query of searched) {
    const forecast = await get<Forecast>(pathOf(database, collection, 'forecast'), { query, signal });
    const found = forecast.slots.find(({ deaths }) => deaths.documents > 0);
    if (found) return { found };
  }
  return {};
}

export function NextExpiration(place: Place) {
  const { data, error } = useLoadInTurn((signal) => findNextSlot(place, signal), [place.database, place.collection]);
  if (error) return <NotKnown error={error} />;
  if (!data) return <>…</>;
  if (!data.found) return <span class="hint" title="No document expires within 400 days">none</span>;
  const { until, deaths } = data.found;
  return <>{deaths.exact ? '' : 'about '}{countText(deaths.documents)} within <Countdown end={until} /></>;
}
