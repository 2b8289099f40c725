// One field of an act in the form that its kind asks for.

import { labelOf } from '@sibyl/contract/console';
import { useId } from 'react';
import { CheckBox } from '../../components/check-box.tsx';
import { Field } from '../../components/field.tsx';
import { LongField } from '../../components/long-field.tsx';
import { type Choice, Select } from '../../components/select.tsx';
import type { ActField, Typed } from './act-fields.ts';
import { NULL_WORD } from './act-input.ts';

interface Props {
  readonly field: ActField;
  readonly value: Typed;
  readonly fault: string | null;
  /** What there is to choose from where the page knows it. */
  readonly options: readonly Choice<string>[] | { readonly suggested: readonly string[] } | null;
  readonly onChange: (value: Typed) => void;
}

const UNSET = '';
const INPUT_TYPES = { number: 'text', time: 'datetime-local', secret: 'password' } as const;

export function TypedField({ field, value, fault, options, onChange }: Props) {
  const { kind, label } = field;
  const hint = hintOf(field);
  const listId = useId();
  const suggested = options !== null && 'suggested' in options ? options.suggested : [];
  const known = options === null || 'suggested' in options ? choicesOf(field) : options;
  if (kind === 'choices') {
    return (
      <ChoicesField
        field={field}
        chosen={value as string | readonly string[]}
        hint={hint}
        onChange={onChange}
      />
    );
  }
  const text = typeof value === 'string' ? value : '';
  const said = field.isRequired ? label : `${label} (optional)`;
  if (known !== null) {
    return (
      <Labelled label={said} hint={hint} fault={fault}>
        <Select
          label={label}
          value={text}
          choices={[{ value: UNSET, label: field.isRequired ? 'Choose' : 'Not said' }, ...known]}
          onChoose={onChange}
        />
      </Labelled>
    );
  }
  if (kind === 'long' || kind === 'lines' || kind === 'json') {
    const isCode = kind === 'json';
    return (
      <LongField
        label={said}
        name={field.name}
        rows={isCode && field.isRequired ? ROWS_OF_RECORDS : ROWS}
        spellCheck={kind === 'long'}
        isCode={isCode}
        placeholder={field.example ?? undefined}
        {...(hint !== null && { hint })}
        fault={fault}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  const type = kind in INPUT_TYPES ? INPUT_TYPES[kind as keyof typeof INPUT_TYPES] : 'text';
  return (
    <>
      <Field
        label={said}
        name={field.name}
        type={type}
        {...(suggested.length > 0 && { list: listId })}
        {...(kind === 'number' && field.unit === null && { inputMode: 'numeric' as const })}
        {...((kind === 'decimal' || field.suffix !== null) && { inputMode: 'decimal' as const })}
        {...(field.suffix !== null && { suffix: field.suffix })}
        {...(kind === 'secret' && { autoComplete: 'new-password' })}
        {...(hint !== null && { hint })}
        fault={fault}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      {suggested.length > 0 && (
        <datalist id={listId}>
          {suggested.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </>
  );
}

function choicesOf({ kind, choices }: ActField): readonly Choice<string>[] | null {
  if (kind === 'flag') {
    return [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
    ];
  }
  if (kind !== 'choice') return null;
  return choices.map((value) => ({ value, label: labelOf(value) }));
}

function hintOf({ hint, isNullable, isRequired, kind }: ActField): string | null {
  const empty = isNullable
    ? isRequired
      ? 'Empty takes it away.'
      : `Type ${NULL_WORD} for none.`
    : null;
  const lines = kind === 'lines' ? 'One a line.' : null;
  const words = [hint, lines, empty].filter((text) => text !== null);
  return words.length === 0 ? null : words.join(' ');
}

function ChoicesField({
  field,
  chosen,
  hint,
  onChange,
}: {
  readonly field: ActField;
  readonly chosen: string | readonly string[];
  readonly hint: string | null;
  readonly onChange: (value: readonly string[]) => void;
}) {
  const words = typeof chosen === 'string' ? [] : chosen;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-xs text-muted">{field.label}</legend>
      {field.choices.map((word) => (
        <CheckBox
          key={word}
          label={labelOf(word)}
          isChecked={words.includes(word)}
          onToggle={(isWanted) =>
            onChange(isWanted ? [...words, word] : words.filter((other) => other !== word))
          }
        />
      ))}
      {hint !== null && <p className="text-xs text-muted">{hint}</p>}
    </fieldset>
  );
}

const ROWS = 3;
const ROWS_OF_RECORDS = 8;

function Labelled({
  label,
  hint,
  fault,
  children,
}: {
  readonly label: string;
  readonly hint: string | null;
  readonly fault: string | null;
  readonly children: React.ReactNode;
}) {
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="text-xs text-muted">{label}</span>
      {children}
      <Note hint={hint} fault={fault} />
    </div>
  );
}

function Note({ hint, fault }: { readonly hint: string | null; readonly fault: string | null }) {
  const words = fault ?? hint;
  if (words === null) return null;
  return <p className={`text-xs ${fault === null ? 'text-muted' : 'text-loss'}`}>{words}</p>;
}
