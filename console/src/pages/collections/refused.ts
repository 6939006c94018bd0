// Where a refusal of the server belongs: at the field that it names.
import { ApiError } from '../../api/client';

// The field that the server names, or a member of it: `stamp_ttl.seconds`.
export function isAbout(error: Error | undefined, name: string): error is ApiError {
  const field = error instanceof ApiError ? error.field : undefined;
  return field !== undefined && (field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`));
}

export function messageAt(error: Error | undefined, name: string): string | undefined {
  return isAbout(error, name) ? error.message : undefined;
}
