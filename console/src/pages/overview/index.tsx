// The state of the server at a glance: health, numbers, what expires when, and what is late.
import { get } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Database } from '../../api/types';
import { Delays, SweeperState } from './delays';
import { Deliveries } from './deliveries';
import { Facts, Server } from './facts';
import { ForecastChart } from './forecast';
import { Health } from './health';
import { Jobs } from './jobs';
import { PartError } from './part-error';
import { useReadings } from './readings';
import { Recent } from './recent';
import { FirstDatabase } from './start';

const databases_read_every = 5_000;

function Expirations() {
  const { data, error } = useLoad(
    (signal) => get<{ databases: Database[] }>('/v1/databases', { signal }),
    [],
    databases_read_every,
  );
  if (data?.databases.length === 0) return <FirstDatabase />;
  return (
    <>
      <PartError error={error} />
      {data && <ForecastChart />}
    </>
  );
}

export function Overview() {
  const { data: readings, error } = useReadings();
  return (
    <>
      <h1>Overview</h1>
      <Health />
      <PartError error={error} />
      {readings && <Server readings={readings} />}
      {readings && <Facts readings={readings} />}
      <Expirations />
      {readings && <Recent readings={readings} />}
      <section aria-labelledby="background">
        <h2 id="background">In the background</h2>
        <SweeperState />
        {readings && <Delays readings={readings} />}
        <Jobs />
      </section>
      {readings && <Deliveries readings={readings} />}
    </>
  );
}
