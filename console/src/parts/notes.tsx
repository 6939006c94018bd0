// Notes to the user: errors in words, what to do, and empty lists.
import type { ComponentChildren } from 'preact';

import { ApiError } from '../api/client';

const advice: Record<string, string> = {
  unreachable: 'The page goes on by itself when the server is back.',
  contended: 'Others wrote at the same time. Try again.',
  stale: 'Another client has changed it meanwhile. Load it again before you change it.',
  throttled: 'The server is busy. Try again in a moment.',
  no_space: 'The disk is too full for writes. Free some space.',
};

export function ErrorNote({ error }: { error: Error }) {
  const more = error instanceof ApiError ? advice[error.code] : undefined;
  return (
    <p role="alert" class="error">
      {error.message}
      {more && <span class="hint"> {more}</span>}
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
