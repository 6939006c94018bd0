// JSON as text. JSON.parse rounds integers above 2^53, so what a user sees and saves is the text itself.

export interface Token {
  kind: 'text' | 'number' | 'word' | 'mark' | 'end';
  text: string;
  at: number;
}

const string_token = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/;
const number_token = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const token_source = `(?:${string_token.source}|${number_token.source}|true|false|null|[{}[\\],:])`;

function kindOf(first: string): Token['kind'] {
  if (first === '"') return 'text';
  if (first === '-' || (first >= '0' && first <= '9')) return 'number';
  return first >= 'a' && first <= 'z' ? 'word' : 'mark';
}

// The tokens up to the first that is none. The last one is of the kind `end`: it stands before that place.
export function* tokensOf(text: string): Generator<Token> {
  const blank = /[ \t\r\n]*/y;
  const pattern = new RegExp(token_source, 'y');
  for (;;) {
    blank.test(text);
    const at = blank.lastIndex;
    pattern.lastIndex = at;
    if (!pattern.test(text)) {
      yield { kind: 'end', text: '', at };
      return;
    }
    const token = text.slice(at, pattern.lastIndex);
    yield { kind: kindOf(token[0]!), text: token, at };
    blank.lastIndex = pattern.lastIndex;
  }
}

const begins = (token: string) => token === '{' || token === '[';
const closes = (token: string) => token === '}' || token === ']';

// Valid JSON with a member and an item per line; no token changes.
export function indented(text: string): string {
  const lineAt = (depth: number) => '\n' + '  '.repeat(depth);
  let out = '';
  let depth = 0;
  let last = '';
  for (const { text: token } of tokensOf(text)) {
    if (closes(token)) {
      depth -= 1;
      if (!begins(last)) out += lineAt(depth);
    } else if (begins(last) || last === ',') {
      out += lineAt(depth);
    } else if (last === ':') {
      out += ' ';
    }
    out += token;
    if (begins(token)) depth += 1;
    last = token;
  }
  return out;
}

export interface Child {
  name?: string;  // of a member; an item has none
  text: string;
}

// The members of an object, or the items of an array, as valid JSON has them.
export function childrenOf(text: string): Child[] {
  const children: Child[] = [];
  let depth = 0;
  let from = 0;
  let name: string | undefined;
  for (const { text: token, at } of tokensOf(text)) {
    if (closes(token)) depth -= 1;
    const isLast = depth === 0 && closes(token);
    if (isLast || (depth === 1 && token === ',')) {
      const child = text.slice(from, at).trim();
      if (child !== '') children.push({ name, text: child });
      from = at + 1;
      name = undefined;
    } else if (depth === 1 && token === ':') {
      name = JSON.parse(text.slice(from, at)) as string;
      from = at + 1;
    }
    if (begins(token)) {
      depth += 1;
      if (depth === 1) from = at + 1;
    }
  }
  return children;
}

export function memberOf(text: string, name: string): string | undefined {
  return childrenOf(text).find((child) => child.name === name)?.text;
}

// A number that JavaScript cannot hold without losing digits.
export class ExactNumber {
  constructor(readonly text: string) {}
}

const digits_max = 15;  // that many a JavaScript number always keeps
const may_be_long = /[[:,]\s*-?[\d.]{16}/;
const texts_and_numbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const number_member = '\u0000number';

function isLong(token: string): boolean {
  const digits = token.replace(/[eE].*|[-.]/g, '').replace(/^0+/, '');
  return digits.length > digits_max || !Number.isFinite(Number(token));
}

// As JSON.parse, with an ExactNumber for each number that would lose digits.
export function parseExactly<T>(text: string): T {
  if (!may_be_long.test(text)) return JSON.parse(text) as T;
  const marked = text.replace(texts_and_numbers, (token) =>
    token[0] === '"' || !isLong(token) ? token : JSON.stringify({ [number_member]: token }),
  );
  return JSON.parse(marked, (_name, value: unknown) => {
    const isNumber = typeof value === 'object' && value !== null && number_member in value;
    return isNumber ? new ExactNumber(String(value[number_member])) : value;
  }) as T;
}

function joined<T>(items: T[], show: (item: T, max: number) => string, max: number): string {
  let out = '';
  for (const item of items) {
    if (out.length > max) return `${out},…`;
    out += (out === '' ? '' : ',') + show(item, max - out.length);
  }
  return out;
}

// A value of parseExactly() as JSON; cut where it becomes longer than `max`.
export function textOf(value: unknown, max = Infinity): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string') return JSON.stringify(value.length > max ? `${value.slice(0, max)}…` : value);
  if (Array.isArray(value)) return `[${joined(value, textOf, max)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const member = ([name, item]: [string, unknown], rest: number) => `${JSON.stringify(name)}:${textOf(item, rest)}`;
  return `{${joined(Object.entries(value), member, max)}}`;
}
