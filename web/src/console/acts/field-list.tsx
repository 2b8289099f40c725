// The fields of a form: those of one record together, and lists of records as rows to add and take away.
import { Button } from '../../components/button.tsx';
import type { Choice } from '../../components/select.tsx';
import type { ActField, Draft, Typed } from './act-fields.ts';
import { rowName } from './act-input.ts';
import { TypedField } from './typed-field.tsx';

/** A closed list to choose from, or suggestions beside which anything may be typed. */
export type FieldOptions = readonly Choice<string>[] | { readonly suggested: readonly string[] };
export type Options = Readonly<Record<string, FieldOptions>>;

interface Props {
  readonly fields: readonly ActField[];
  readonly draft: Draft;
  readonly faultOf: (name: string) => string | null;
  readonly optionsOf: (name: string) => FieldOptions | null;
  readonly onChange: (name: string, value: Typed) => void;
}

export function FieldList(props: Props) {
  return <Records {...props} depth={depthOf(props.fields)} />;
}

function Records({ depth, ...props }: Props & { readonly depth: number }) {
  return together(props.fields, depth).map(({ title, fields }) =>
    title === null ? (
      fields.map((field) => <OneField key={field.name} {...props} field={field} />)
    ) : (
      <fieldset key={title} className="flex flex-col gap-4 border-l border-line pl-3">
        <legend className="mb-2 font-semibold">{title}</legend>
        <Records {...props} fields={fields} depth={depth + 1} />
      </fieldset>
    ),
  );
}

interface Together {
  readonly title: string | null;
  readonly fields: ActField[];
}

/** A record that has all fields needs no heading. */
export function depthOf([first, ...others]: readonly ActField[]): number {
  const title = first?.group[0];
  return title !== undefined && others.every(({ group }) => group[0] === title) ? 1 : 0;
}

/** Neighbours of the same record. */
export function together(fields: readonly ActField[], depth: number): readonly Together[] {
  const found: Together[] = [];
  for (const field of fields) {
    const title = field.group[depth] ?? null;
    const last = found.at(-1);
    if (last === undefined || last.title !== title) found.push({ title, fields: [field] });
    else last.fields.push(field);
  }
  return found;
}

function OneField({ field, ...props }: Props & { readonly field: ActField }) {
  const { draft, faultOf, optionsOf, onChange } = props;
  const value = draft[field.name] ?? '';
  if (field.kind === 'rows') {
    const rows = typeof value === 'string' ? [] : (value as readonly Draft[]);
    return <Rows {...props} field={field} rows={rows} />;
  }
  return (
    <TypedField
      field={field}
      value={value}
      fault={faultOf(field.name)}
      options={optionsOf(field.name)}
      onChange={(typed) => onChange(field.name, typed)}
    />
  );
}

interface RowsProps extends Omit<Props, 'fields' | 'draft'> {
  readonly field: ActField;
  readonly rows: readonly Draft[];
}

function Rows({ field, rows, faultOf, optionsOf, onChange }: RowsProps) {
  const { name, label } = field;
  const change = (next: readonly Draft[]): void => onChange(name, next);
  const fault = faultOf(name);
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">
        {field.isRequired ? label : `${label} (optional)`}
      </legend>
      {field.hint !== null && <p className="text-xs text-muted">{field.hint}</p>}
      {rows.map((row, at) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name before they are sent
          key={at}
          className="flex flex-col gap-3 rounded-md border border-line p-3"
        >
          <legend className="px-1 text-xs text-muted">{`${label}, ${at + 1}`}</legend>
          <FieldList
            fields={field.fields}
            draft={row}
            faultOf={(inside) => faultOf(rowName(name, at, inside))}
            optionsOf={(inside) => optionsOf(`${name}.${inside}`)}
            onChange={(inside, value) => change(rows.with(at, { ...row, [inside]: value }))}
          />
          <div>
            <Button size="small" onClick={() => change(rows.toSpliced(at, 1))}>
              Remove
            </Button>
          </div>
        </fieldset>
      ))}
      {fault !== null && <p className="text-xs text-loss">{fault}</p>}
      <div>
        <Button size="small" onClick={() => change([...rows, {}])}>
          {`Add to ${label.toLowerCase()}`}
        </Button>
      </div>
    </fieldset>
  );
}
