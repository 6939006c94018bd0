// The documents of a collection, and one of them beside the table.
import { get, pathOf } from '../../api/client';
import { useLoad } from '../../api/load';
import type { Collection } from '../../api/types';
import { navigate } from '../../app/router';
import { ErrorNote } from '../../parts/notes';
import { PanelFrame } from './frame';
import { useGuard, type Guard } from './guard';
import { FilterBar, ListView, rowKey } from './list';
import { useCount, useList } from './list_data';
import { NewDocument } from './new_document';
import { Panel, PastPanel, type PanelProps } from './panel';
import { addressOfPlace, keyOf, type Place } from './place';
import { maySetLifetime } from './policy';
import { textOf } from '../../api/exact';
import { PastNote, TimeBar } from './time_bar';
import type { Row } from './types';

const policy_every = 30_000;
const closed = { open: undefined, partition: undefined, isNew: false };

function opened({ id, partition }: Row): Partial<Place> {
  return { open: id, partition: partition && textOf(partition), isNew: false };
}

// Where a user can go from here. What leaves the open document asks first if its text is not saved.
function movesFrom(place: Place, { leave }: Guard) {
  const addressWith = (change: Partial<Place>) => addressOfPlace({ ...place, ...change });
  const go = (change: Partial<Place>, replace = false) => {
    const to = addressWith(change);
    if (to !== addressOfPlace(place)) navigate(to, { replace });
  };
  return {
    go,
    linkTo: (row: Row) => addressWith(opened(row)),
    open: (row: Row) => leave(() => go(opened(row))),
    add: () => leave(() => go({ ...closed, isNew: true })),
    // On the way through the past only the last instant stays in the browser's history.
    move: (asOf?: string) => leave(() => go({ asOf, isNew: false }, place.asOf !== undefined && asOf !== undefined)),
  };
}

// After the panel has closed, the keyboard goes on at the row whose document it showed, or else at the table.
function focusRow(row?: Row): void {
  const link = row && document.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(rowKey(row))}"] a`);
  (link ?? document.querySelector<HTMLElement>('main .table'))?.focus();
}

interface SideProps extends Omit<PanelProps, 'itemKey'> {
  onClose: () => void;
}

function Side({ onClose, ...props }: SideProps) {
  const { place, policy, onCreated, onDirty } = props;
  const itemKey = keyOf(place);
  if (itemKey) {
    const Shown = place.asOf === undefined ? Panel : PastPanel;
    return (
      <PanelFrame key={JSON.stringify(itemKey)} title={itemKey.id} onClose={onClose}>
        <Shown {...props} itemKey={itemKey} />
      </PanelFrame>
    );
  }
  return (
    <PanelFrame title="New document" onClose={onClose}>
      <NewDocument place={place} maySetLifetime={maySetLifetime(policy)} onDirty={onDirty} onCreated={onCreated} />
    </PanelFrame>
  );
}

interface HeadProps {
  place: Place;
  onRefresh: () => void;
  onNew: () => void;
}

function Head({ place, onRefresh, onNew }: HeadProps) {
  return (
    <div class="bar">
      <h1>{place.database} / {place.collection}</h1>
      {place.asOf === undefined && <button type="button" onClick={onNew}>New document</button>}
      <button type="button" onClick={onRefresh}>Refresh</button>
    </div>
  );
}

// The list, and beside it what is open.
function Columns({ place, policy, guard, list, count }: ColumnsProps) {
  const { go, linkTo, open } = movesFrom(place, guard);
  const refresh = () => {
    list.reload();
    count.reload();
  };
  const listed = list.data?.documents.find((row) => row.id === place.open && opened(row).partition === place.partition);
  const close = () => {
    go(closed);
    focusRow(listed);
  };
  const hasSide = place.open !== undefined || (place.isNew && place.asOf === undefined);
  return (
    <div class={hasSide ? 'split' : undefined}>
      <ListView place={place} list={list} count={count} linkTo={linkTo} onOpen={open} onSort={(sort) => go({ sort })} />
      {hasSide && (
        <Side
          place={place}
          policy={policy}
          listed={listed}
          onChanged={refresh}
          onCreated={({ facts }) => {
            refresh();
            go(opened(facts));
          }}
          onDirty={guard.setIsDirty}
          onClose={() => guard.leave(close)}
        />
      )}
    </div>
  );
}

interface ColumnsProps {
  place: Place;
  policy?: Collection;
  guard: Guard;
  list: ReturnType<typeof useList>;
  count: ReturnType<typeof useCount>;
}

export function CollectionPage({ place }: { place: Place }) {
  const path = pathOf(place.database, place.collection);
  const policy = useLoad((signal) => get<Collection>(path, { signal }), [path], policy_every);
  const list = useList(place);
  const count = useCount(place);
  const guard = useGuard();
  const { go, move, add } = movesFrom(place, guard);
  const refresh = () => [policy, list, count].forEach(({ reload }) => reload());
  const errorOf = (field: string) => (list.error?.field === field ? list.error : undefined);
  return (
    <>
      <Head place={place} onRefresh={refresh} onNew={add} />
      {policy.error && <ErrorNote error={policy.error} />}
      <TimeBar asOf={place.asOf} policy={policy.data} error={errorOf('as_of')} onMove={move} />
      {place.asOf !== undefined && <PastNote asOf={place.asOf} onMove={move} />}
      <FilterBar filter={place.filter} error={errorOf('filter')} onFilter={(filter) => go({ filter })} />
      <Columns place={place} policy={policy.data} guard={guard} list={list} count={count} />
      {guard.dialog}
    </>
  );
}
