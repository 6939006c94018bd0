// What is wrong with a text that is to be JSON, and where.
import { tokensOf, type Token } from '../../api/exact';

export interface Problem {
  message: string;
  at: number;
  line: number;
  column: number;
}

// What comes next. `first item` and `first name` can also be the end of an empty array or object.
type Next = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'comma or end';

// `open`: the marks that close what is open.
function enter(token: Token, open: string[]): Next | undefined {
  if (token.text === '{') {
    open.push('}');
    return 'first name';
  }
  if (token.text === '[') {
    open.push(']');
    return 'first item';
  }
  return token.kind === 'mark' || token.kind === 'end' ? undefined : 'comma or end';
}

function closed(open: string[]): Next {
  open.pop();
  return 'comma or end';
}

// What comes after the token; undefined if the token is wrong here.
function after(next: Next, token: Token, open: string[]): Next | undefined {
  const innermost = open.at(-1);
  const isClosing = token.kind === 'mark' && token.text === innermost;
  switch (next) {
    case 'first item': return isClosing ? closed(open) : enter(token, open);
    case 'value': return enter(token, open);
    case 'first name':
      if (isClosing) return closed(open);
      return token.kind === 'text' ? 'colon' : undefined;
    case 'name': return token.kind === 'text' ? 'colon' : undefined;
    case 'colon': return token.text === ':' ? 'value' : undefined;
    case 'comma or end':
      if (isClosing) return closed(open);
      if (token.text !== ',' || innermost === undefined) return undefined;
      return innermost === '}' ? 'name' : 'value';
  }
}

function messageOf(next: Next, open: string[], wrong: string): string {
  if (wrong === '"' && next !== 'comma or end' && next !== 'colon') {
    return 'this text is not closed, or it has an escape or a control character that JSON does not allow';
  }
  if (wrong === "'") return 'texts stand in double quotes';
  switch (next) {
    case 'value':
    case 'first item': return 'expected a value here';
    case 'name': return 'expected a name in double quotes here';
    case 'first name': return "expected a name in double quotes or '}' here";
    case 'colon': return "expected ':' here";
    case 'comma or end':
      return open.length > 0 ? `expected ',' or '${open.at(-1)}' here` : 'expected nothing more here';
  }
}

function findProblem(text: string): { message: string; at: number } | undefined {
  const open: string[] = [];
  let next: Next = 'value';
  for (const token of tokensOf(text)) {
    const isWhole = token.kind === 'end' && token.at === text.length && open.length === 0 && next === 'comma or end';
    if (isWhole) return undefined;
    const following = after(next, token, open);
    if (following === undefined) return { message: messageOf(next, open, text[token.at] ?? ''), at: token.at };
    next = following;
  }
  return undefined;
}

function isObject(text: string): boolean {
  return text.trimStart().startsWith('{');
}

// A document is an object.
export function problemOf(text: string): Problem | undefined {
  let found: { message: string; at: number } | undefined;
  try {
    JSON.parse(text);
    if (!isObject(text)) found = { message: "a document is an object: it begins with '{'", at: 0 };
  } catch {
    found = findProblem(text) ?? { message: 'this is no JSON', at: 0 };
  }
  if (!found) return undefined;
  const before = text.slice(0, found.at);
  return { ...found, line: before.split('\n').length, column: found.at - before.lastIndexOf('\n') };
}
