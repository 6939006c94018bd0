// The error of one part of the page.
import { ApiError } from '../../api/client';
import { ErrorNote } from '../../parts/notes';

// That the server does not answer is said once, by the health.
export function PartError({ error }: { error?: Error }) {
  if (!error || (error instanceof ApiError && error.code === 'unreachable')) return null;
  return <ErrorNote error={error} />;
}
