// The results of a query, as a table or as JSON.
import { useState } from 'preact/hooks';

import { indented, textOf } from '../../api/exact';
import type { Document } from '../../api/types';
import { Countdown } from '../../parts/countdown';
import { Empty } from '../../parts/notes';
import { Table, type Column } from '../../parts/table';

const columns_max = 8;
const shown_max = 200;  // characters of a value in the table

// The members that most documents have come first.
function memberNames(documents: Document[]): string[] {
  const counts = new Map<string, number>();
  for (const { data } of documents) {
    for (const name of Object.keys(data)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, columns_max).map(([name]) => name);
}

function shown(data: Record<string, unknown>, name: string): string {
  if (!Object.hasOwn(data, name)) return '';
  const value = data[name];
  return typeof value === 'string' ? value : textOf(value, shown_max);
}

function columnsOf(documents: Document[]): Column<Document>[] {
  return [
    { title: '@id', show: ({ id }) => id },
    ...memberNames(documents).map((name) => ({ title: name, show: ({ data }: Document) => shown(data, name) })),
    { title: '@expires_at', show: ({ expires_at }) => <Countdown end={expires_at} /> },
  ];
}

interface ResultsProps {
  documents: Document[];
  took: number;
  onMore?: () => void;
}

export function Results({ documents, took, onMore }: ResultsProps) {
  const [asJson, setAsJson] = useState(false);
  if (documents.length === 0) return <Empty>No document matches ({took.toFixed(0)} ms).</Empty>;
  return (
    <section aria-label="Results">
      <div class="bar">
        <span role="status">{documents.length} documents, {took.toFixed(0)} ms</span>
        <label><input type="checkbox" checked={asJson} onChange={(event) => setAsJson(event.currentTarget.checked)} /> as JSON</label>
      </div>
      {asJson
        ? <pre class="json" tabIndex={0}>{documents.map(({ data }) => indented(textOf(data))).join('\n')}</pre>
        : <Table label="Results" columns={columnsOf(documents)} rows={documents} keyOf={({ id, partition }) => textOf([partition ?? null, id])} />}
      {onMore && <button type="button" onClick={onMore}>More</button>}
    </section>
  );
}
