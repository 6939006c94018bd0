// One collection: its policy, its indexes and its forecast; for a structure also its settings.
import { useState } from 'preact/hooks';

import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection } from '../../api/types';
import { address, addressOf, Link, navigate } from '../../app/router';
import { ErrorNote } from '../../parts/notes';
import { Tabs, type Tab } from '../../parts/tabs';
import { loadStructures, type Structure } from './centrali';
import { ForecastPreview } from './forecast';
import { Indexes } from './indexes';
import { LivingCount, NextExpiration } from './numbers';
import { PolicyEditor } from './policy';
import { policyOf } from './policy_draft';
import { Settings } from './settings';

interface Place {
  database: string;
  collection: string;
}

function Facts({ database, collection, structure }: Place & { structure?: Structure }) {
  return (
    <div class="tiles">
      <div class="tile"><b><LivingCount database={database} collection={collection} /></b> living documents</div>
      <div class="tile"><b><NextExpiration database={database} collection={collection} /></b> next expiration</div>
      {structure && <div class="tile"><b>{structure.name}</b> structure of the Centrali API</div>}
    </div>
  );
}

interface PartsProps {
  database: string;
  collection: Collection;
  structure?: Structure;
  onChanged: () => void;
}

function Parts({ database, collection, structure, onChanged }: PartsProps) {
  const [note, setNote] = useState('');
  const name = collection.name;
  const saved = () => {
    setNote('It is saved.');
    onChanged();
  };
  // With another policy the fields begin again.
  const state = JSON.stringify(policyOf(collection));
  const edited = { database, collection, onSaved: saved };
  const tabs: Tab[] = [
    { id: 'policy', title: 'Policy', show: () => <PolicyEditor key={state} {...edited} /> },
    { id: 'indexes', title: 'Indexes', show: () => <Indexes database={database} collection={name} /> },
    {
      id: 'forecast',
      title: 'Forecast preview',
      show: () => <ForecastPreview key={state} database={database} collection={collection} />,
    },
  ];
  if (structure) tabs.push({ id: 'settings', title: 'Settings', show: () => <Settings key={state} {...edited} /> });
  const open = (tab: string) => {
    setNote('');
    navigate(addressOf(['collections', database, name], { tab }), { replace: true });
  };
  return (
    <>
      <Tabs label={`Parts of ${name}`} tabs={tabs} open={address.value.query.get('tab') ?? 'policy'} onOpen={open} />
      <p role="status">{note}</p>
    </>
  );
}

export function OneCollection({ database, collection }: Place) {
  const { data, error, reload } = useLoad(
    (signal) => get<Collection>(pathOf(database, collection), { signal }),
    [database, collection],
  );
  const structures = useLoad((signal) => loadStructures(database, signal), [database]);
  const structure = structures.data?.get(collection);
  return (
    <>
      <p class="hint">
        <Link to={addressOf(['collections'])}>Collections</Link>{' / '}
        <Link to={addressOf(['collections', database])}>{database}</Link>
      </p>
      <h1>{database} / {collection}</h1>
      <p><Link to={addressOf(['documents', database, collection])}>Its documents</Link></p>
      <Facts database={database} collection={collection} structure={structure} />
      {error && <ErrorNote error={error} />}
      {structures.error && <p class="hint">Whether it is a structure is not known. {structures.error.message}</p>}
      {data && <Parts database={database} collection={data} structure={structure} onChanged={reload} />}
    </>
  );
}
