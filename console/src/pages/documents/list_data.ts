// The page of the list that the table shows, and how many documents there are.
import { useState } from 'preact/hooks';

import { useLoad, type Loaded } from '../../api/load';
import { loadCount, loadPage, type Page } from './calls';
import { useKept, type Kept } from './kept';
import { listNameOf, type Place } from './place';

const list_every = 5_000;
const count_every = 10_000;

// While another list or page is loading, it shows the one before.
export interface List extends Omit<Loaded<Page>, 'data'>, Kept<Page> {
  number: number;  // of the page, from 1
  showNext: () => void;
  showPrevious: () => void;
  showFirst: () => void;
}

export function useList(place: Place): List {
  const name = listNameOf(place);
  // The pages up to this one, each as the one before it named it; the first has no name.
  const [opened, setOpened] = useState<{ name: string; pages: string[] }>({ name, pages: [] });
  const pages = opened.name === name ? opened.pages : [];
  const page = pages.at(-1);
  const loaded = useLoad((signal) => loadPage(place, page, signal), [name, page], place.asOf ? 0 : list_every);
  const kept = useKept(loaded);
  const next = kept.isOld ? null : kept.data?.next;
  const show = (shown: string[]) => setOpened({ name, pages: shown });
  return {
    ...loaded,
    ...kept,
    number: pages.length + 1,
    showNext: () => next && show([...pages, next]),
    showPrevious: () => show(pages.slice(0, -1)),
    showFirst: () => show([]),
  };
}

// A count with a filter can read much, so it is not repeated by itself.
export function useCount(place: Place): Loaded<number> {
  const isCheap = place.filter === undefined && place.asOf === undefined;
  return useLoad((signal) => loadCount(place, signal), [place.filter, place.asOf], isCheap ? count_every : 0);
}
