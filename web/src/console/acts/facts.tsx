// The fields of a record, as they are: what an operator should have read before an act.
import type { ReactNode } from 'react';
import { labelOf } from './act-fields.ts';

export function Facts({ of: record }: { readonly of: Readonly<Record<string, unknown>> }) {
  // Of a time that is given twice, people read the one with a date.
  const facts = Object.entries(record).filter(
    ([name, value]) => value !== null && !name.endsWith('_ms'),
  );
  return (
    <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-muted">{labelOf(name)}</dt>
          <dd className="wrap-anywhere">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is inside a record or a list stands indented below its name. */
function shown(value: unknown): ReactNode {
  if (Array.isArray(value)) return listed(value);
  if (!isRecord(value)) return wordOf(value);
  return Object.keys(value).length === 0 ? (
    'none'
  ) : (
    <div className="border-l border-line pl-3">
      <Facts of={value} />
    </div>
  );
}

function listed(list: readonly unknown[]): ReactNode {
  if (list.length === 0) return 'none';
  if (list.every((one) => typeof one !== 'object' || one === null)) {
    return list.map(wordOf).join(', ');
  }
  return (
    <ol className="flex list-inside list-decimal flex-col gap-2">
      {list.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a record that is shown never changes its order
        <li key={at}>{shown(one)}</li>
      ))}
    </ol>
  );
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? 'none' : String(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
