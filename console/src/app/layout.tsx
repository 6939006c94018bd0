// The frame around each page: menu, tree of collections, time of the server.
import { computed, signal } from '@preact/signals';

import { key, needsKey } from '../api/client';
import { kind, now } from '../api/clock';
import { timeText } from '../parts/time';
import { Login } from '../pages/login';
import { Boundary } from './boundary';
import { address, addressOf, leaving, Link, segments } from './router';
import { pages, type PageRow } from './pages';
import { Tree } from './tree';

// Counts the logins after which pages begin again.
const session = signal(0);

function logOut() {
  const go = () => {
    key.value = '';
    session.value += 1;
  };
  if (leaving.ask) leaving.ask(go);
  else go();
}

// A page with unsaved text stays while the user logs in again.
function keepOrRestart() {
  if (!leaving.ask) session.value += 1;
}

const second = computed(() => Math.floor(now.value / 1000) * 1000);

function ServerTime() {
  return (
    <span class="server-time" title="The server's time (UTC)">
      {timeText(second.value, 'seconds')} {kind.value === 'virtual' && <strong>virtual</strong>}
    </span>
  );
}

// A page about a collection keeps the collection that is open.
function menuAddress(row: PageRow): string {
  const [, database, collection] = segments();
  if (row.about === 'server' || database === undefined || collection === undefined) return addressOf([row.segment].filter(Boolean));
  return addressOf([row.segment, database, collection]);
}

function Menu({ open }: { open: PageRow | undefined }) {
  return (
    <nav aria-label="Pages" class="menu">
      {pages.map((row) => (
        <Link key={row.segment} to={menuAddress(row)} aria-current={row === open ? 'page' : undefined}>
          {row.title}
        </Link>
      ))}
    </nav>
  );
}

function NotFound() {
  return <p>There is no such page. <Link to={addressOf([])}>Back to the overview</Link></p>;
}

export function Layout() {
  const [first = ''] = segments();
  const open = pages.find((row) => row.segment === first);
  const Page = open?.page ?? NotFound;
  return (
    <>
      <a class="skip" href="#page">Skip to the page</a>
      <header>
        <Link to={addressOf([])} class="brand">Mayfly</Link>
        <Menu open={open} />
        <ServerTime />
        {key.value && <button type="button" class="quiet" onClick={logOut}>Log out</button>}
      </header>
      <div class="columns">
        {!needsKey.value && <Tree />}
        <main id="page" tabIndex={-1}>
          {needsKey.value && <Login onLogin={keepOrRestart} />}
          <div hidden={needsKey.value}>
            {(!needsKey.value || leaving.ask) && (
              <Boundary key={`${session.value} ${address.value.path}`}><Page /></Boundary>
            )}
          </div>
        </main>
      </div>
    </>
  );
}
