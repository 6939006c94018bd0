// The pages, one row each: the first segment of the address, the name in the menu, and the page.
import type { ComponentType } from 'preact';

import { Clock } from '../pages/clock';
import { Collections } from '../pages/collections';
import { Documents } from '../pages/documents';
import { Events } from '../pages/events';
import { Holds } from '../pages/holds';
import { Overview } from '../pages/overview';
import { Query } from '../pages/query';
import { Trash } from '../pages/trash';

export interface PageRow {
  segment: string;
  title: string;
  page: ComponentType;
  // `collection`: its address continues with a database and a collection.
  about: 'server' | 'collection';
}

export const pages: PageRow[] = [
  { segment: '', title: 'Overview', page: Overview, about: 'server' },
  { segment: 'collections', title: 'Collections', page: Collections, about: 'server' },
  { segment: 'documents', title: 'Documents', page: Documents, about: 'collection' },
  { segment: 'query', title: 'Query', page: Query, about: 'collection' },
  { segment: 'events', title: 'Events', page: Events, about: 'collection' },
  { segment: 'trash', title: 'Trash', page: Trash, about: 'collection' },
  { segment: 'holds', title: 'Holds and purges', page: Holds, about: 'collection' },
  { segment: 'clock', title: 'Clock', page: Clock, about: 'server' },
];
