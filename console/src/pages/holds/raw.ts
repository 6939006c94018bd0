// The bytes of records of purges as the server has sent them: their hashes are of these bytes.
export type Bytes = Uint8Array<ArrayBuffer>;

const quote = 0x22;
const backslash = 0x5c;
const opening = [0x5b, 0x7b];  // [ {
const closing = [0x5d, 0x7d];  // ] }
// The page is an object, `records` an array in it.
const depth_of_records = 2;

// Where the text ends that begins with the quote at `start`.
function endOfText(bytes: Bytes, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

// The bytes of each record of a page.
export function recordsIn(page: Bytes): Bytes[] {
  const records: Bytes[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < page.length; at += 1) {
    const byte = page[at]!;
    if (byte === quote) {
      at = endOfText(page, at);
    } else if (opening.includes(byte)) {
      if (depth === depth_of_records) start = at;
      depth += 1;
    } else if (closing.includes(byte)) {
      depth -= 1;
      if (depth === depth_of_records) records.push(page.subarray(start, at + 1));
    }
  }
  return records;
}

const tail_size = ',"hash":"'.length + 64 + '"}'.length;
const tail_form = /^,"hash":"([0-9a-f]{64})"\}$/;

// What the hash of a record is of, and the hash that the record states; undefined if it states none.
export function hashedPart(record: Bytes): { part: Bytes; hash: string } | undefined {
  const at = record.length - tail_size;
  if (at < 0) return undefined;
  const found = tail_form.exec(new TextDecoder('latin1').decode(record.subarray(at)));
  return found ? { part: record.subarray(0, at), hash: found[1]! } : undefined;
}
