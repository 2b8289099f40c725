// The fields of a record in words: what an operator should have read before an act.
import { type Fact, type FactValue, factsOf } from '@sibyl/contract/console';
import type { ReactNode } from 'react';

export function Facts({ of: record }: { readonly of: Readonly<Record<string, unknown>> }) {
  return <FactList facts={factsOf(record)} />;
}

function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
      {facts.map(({ label, value }) => (
        <div key={label} className="min-w-0">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="wrap-anywhere">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is inside a record or a list stands indented below its name. */
function shown(value: FactValue): ReactNode {
  if (typeof value === 'string') return value;
  if ('facts' in value) {
    return (
      <div className="border-l border-line pl-3">
        <FactList facts={value.facts} />
      </div>
    );
  }
  return (
    <ol className="flex list-inside list-decimal flex-col gap-2">
      {value.list.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a record that is shown never changes its order
        <li key={at}>{shown(one)}</li>
      ))}
    </ol>
  );
}
