// Calls of the native API. The key is in memory only: a reload asks for it again.
import { signal } from '@preact/signals';

import { parseExactly } from './exact';

export const key = signal('');
// Whether the server has refused a call because it needs a key, or another one.
export const needsKey = signal(false);

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

export interface CallOptions {
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer<T> {
  data: T;
  headers: Headers;
}

export function headersWithKey(more: Record<string, string> = {}): Record<string, string> {
  return key.value ? { ...more, Authorization: `Bearer ${key.value}` } : more;
}

export function urlOf(path: string, query: CallOptions['query'] = {}): string {
  const pairs = Object.entries(query).filter((pair) => pair[1] !== undefined);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

// A browser removes such segments of an address, however they are written: the call would reach what is above.
const unaddressable = ['.', '..'];

// `database` and `collection` as a path of the API. Fails with ApiError for a name that no address can hold.
export function pathOf(database: string, collection?: string, ...rest: string[]): string {
  const parts = ['databases', database];
  if (collection !== undefined) parts.push('collections', collection);
  const wrong = [...parts, ...rest].find((part) => unaddressable.includes(part));
  if (wrong !== undefined) {
    throw new ApiError(0, 'invalid', `A browser cannot address the name "${wrong}". Use another client for it.`);
  }
  return '/v1/' + [...parts, ...rest].map(encodeURIComponent).join('/');
}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { code, message, field } = JSON.parse(text).error;
    return new ApiError(response.status, code, message, field);
  } catch {
    return new ApiError(response.status, 'internal', text || response.statusText);
  }
}

// Fails with ApiError; with the code `unreachable` if there is no answer.
export async function fetchAnswer(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const headers = headersWithKey(options.headers);
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(urlOf(path, options.query), {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
      cache: 'no-store',
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', 'The server does not answer. Is it running?');
  }
  if (response.ok) return response;
  if (response.status === 401) needsKey.value = true;
  throw await errorOf(response);
}

// Numbers that would lose digits are ExactNumber.
export async function callFully<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
  const response = await fetchAnswer(method, path, options);
  const text = await response.text();
  return { data: (text === '' ? undefined : parseExactly<T>(text)) as T, headers: response.headers };
}

export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  return (await callFully<T>(method, path, options)).data;
}

export const get = <T>(path: string, options?: CallOptions) => call<T>('GET', path, options);
export const post = <T>(path: string, body?: unknown, options?: CallOptions) =>
  call<T>('POST', path, { ...options, body });
