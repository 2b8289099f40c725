// The fields of a record, as they are: what an operator should have read before an act.
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
          <dd className="wrap-anywhere">{wordsOf(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function wordsOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.length === 0 ? 'none' : value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
