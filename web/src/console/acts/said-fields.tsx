// A record as its form would say it: the same labels, the same units, nothing to type.
import { labelOf } from '@sibyl/contract/console';
import { CodeBlock } from '../../components/code-block.tsx';
import { dateTime } from '../../format/times.ts';
import type { ActField } from './act-fields.ts';
import { depthOf, together } from './field-list.tsx';
import { amountWords } from './units.ts';

interface Props {
  readonly fields: readonly ActField[];
  readonly value: unknown;
}

export function SaidFields(props: Props) {
  return <Records {...props} depth={depthOf(props.fields)} />;
}

function Records({ fields, value, depth }: Props & { readonly depth: number }) {
  const said = fields.filter((field) => isSaid(valueAt(value, field.name)));
  return (
    <div className="flex flex-col gap-4">
      {together(said, depth).map(({ title, fields: group }) =>
        title === null ? (
          <Facts key={group[0]?.name} fields={group} value={value} />
        ) : (
          <section key={title} className="border-l border-line pl-3">
            <h3 className="mb-2 font-semibold">{title}</h3>
            <Records fields={group} value={value} depth={depth + 1} />
          </section>
        ),
      )}
    </div>
  );
}

function Facts({ fields, value }: Props) {
  const rows = fields.filter(({ kind }) => kind === 'rows');
  const code = fields.filter(({ kind }) => kind === 'json');
  const plain = fields.filter((field) => !rows.includes(field) && !code.includes(field));
  return (
    <>
      {plain.length > 0 && (
        <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {plain.map((field) => (
            <div key={field.name} className="min-w-0">
              <dt className="text-xs text-muted">{field.label}</dt>
              <dd className="wrap-anywhere whitespace-pre-line">
                {wordsFor(field, valueAt(value, field.name))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {rows.map((field) => (
        <section key={field.name}>
          <h3 className="mb-2 font-semibold">{field.label}</h3>
          <ol className="flex flex-col gap-2">
            {(valueAt(value, field.name) as readonly unknown[]).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a record that is shown never changes its order
              <li key={at} className="rounded-md border border-line p-3">
                <SaidFields fields={field.fields} value={row} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {code.map((field) => (
        <details key={field.name}>
          <summary className="text-muted">{field.label}</summary>
          <div className="mt-2">
            <CodeBlock
              label={field.label}
              text={JSON.stringify(valueAt(value, field.name), null, 2)}
            />
          </div>
        </details>
      ))}
    </>
  );
}

const LISTED_MAX = 50;

function wordsFor({ kind, unit, suffix }: ActField, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listed(value.map(String), kind);
  if (typeof value === 'number') {
    if (kind === 'time') return dateTime('en', value);
    return unit?.shown(value) ?? new Intl.NumberFormat('en').format(value);
  }
  if (kind === 'choice') return labelOf(String(value));
  const text = String(value);
  // Names of sources and tiers.
  if (suffix === null) return /^[a-z]+(_[a-z]+)+$/.test(text) ? labelOf(text) : text;
  const amount = amountWords(text);
  return amount === '1' && suffix === 'shares' ? '1 share' : `${amount} ${suffix}`;
}

/** Lists of names may have thousands of lines. */
function listed(words: readonly string[], kind: ActField['kind']): string {
  const shown = words.slice(0, LISTED_MAX).map(kind === 'choices' ? labelOf : (word) => word);
  const rest = words.length - shown.length;
  return `${shown.join(', ')}${rest === 0 ? '' : `, and ${rest.toLocaleString('en')} more`}`;
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}

function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((around, name) => {
    if (typeof around !== 'object' || around === null) return undefined;
    return new Map<string, unknown>(Object.entries(around)).get(name);
  }, record);
}
