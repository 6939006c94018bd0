// Pages of a list, each with the server's token of the next one.
import { useState } from 'preact/hooks';

export interface Pager {
  page?: string;  // undefined: the first
  number: number;
  setNext: (token: string) => void;
  setPrevious: () => void;
  setFirst: () => void;
}

export function usePager(): Pager {
  const [tokens, setTokens] = useState<string[]>([]);
  return {
    page: tokens.at(-1),
    number: tokens.length + 1,
    setNext: (token) => setTokens([...tokens, token]),
    setPrevious: () => setTokens(tokens.slice(0, -1)),
    setFirst: () => setTokens([]),
  };
}

export function PagerBar({ pager, next }: { pager: Pager; next?: string | null }) {
  if (pager.number === 1 && !next) return null;
  return (
    <nav class="bar" aria-label="Pages of the list">
      <button type="button" disabled={pager.number === 1} onClick={pager.setFirst}>First</button>
      <button type="button" disabled={pager.number === 1} onClick={pager.setPrevious}>Previous</button>
      <span>Page {pager.number}</span>
      <button type="button" disabled={!next} onClick={() => next && pager.setNext(next)}>Next</button>
    </nav>
  );
}
