// Addresses: every page has one below /console, and the browser's back and forward buttons work.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export const base = '/console';

interface Address {
  path: string;  // without the base: `/documents/shop/carts`
  query: URLSearchParams;
}

function current(): Address {
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : '/';
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) };
}

export const address = signal(current());

// A page with something to lose sets `ask`, which calls `go` once the user agrees.
export const leaving: { ask?: (go: () => void) => void } = {};

function leave(go: () => void): void {
  if (leaving.ask) leaving.ask(go);
  else go();
}

function hrefOf({ path, query }: Address): string {
  const text = query.toString();
  return `${base}${path}${text ? `?${text}` : ''}`;
}

addEventListener('popstate', () => {
  const to = current();
  if (!leaving.ask) {
    address.value = to;
    return;
  }
  history.pushState(null, '', hrefOf(address.value));
  leaving.ask(() => navigate(hrefOf(to)));
});

// The address of a page; its segments are encoded.
export function addressOf(segments: string[], query: Record<string, string | undefined> = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = new URLSearchParams(pairs).toString();
  return `${base}/${segments.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  history[options.replace ? 'replaceState' : 'pushState'](null, '', to);
  address.value = current();
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

// The decoded segments of the present address.
export function segments(): string[] {
  return address.value.path.split('/').filter(Boolean).map(decoded);
}

interface LinkProps {
  to: string;
  children: ComponentChildren;
  class?: string;
  'aria-current'?: 'page' | 'true';
}

export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    leave(() => navigate(to));
  };
  return <a {...rest} href={to} onClick={follow}>{children}</a>;
}
