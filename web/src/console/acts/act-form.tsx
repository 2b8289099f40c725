// The form of any act: what it asks for, why it is done, and what came of it.
import type { AnyOperation } from '@sibyl/contract/console';
import { labelOf } from '@sibyl/contract/console';
import { SibylError } from '@sibyl/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { useLane } from '../lane.tsx';
import { send } from '../plane.ts';
import { readIdentity, roleRefusal, useIdentity } from '../session/use-session.ts';
import { ActAnswer } from './act-answer.tsx';
import {
  type ActField,
  type Draft,
  fieldsOf,
  hasLane,
  hasReason,
  type Shapes,
} from './act-fields.ts';
import { draftOf, type Faults, readDraft } from './act-input.ts';
import { helpFor } from './act-words.ts';
import { FieldList, type Options } from './field-list.tsx';
import { saidIn } from './said.ts';

/** What the page says already; it is shown, and not asked for. */
export type Preset = Readonly<Record<string, string>>;

interface Props {
  readonly operation: AnyOperation;
  readonly preset?: Preset;
  /** What fields begin with, as the operation names and writes it. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What there is to choose from, where the page knows it. */
  readonly options?: Options;
  /** Fields of open records, where the page knows them. */
  readonly shapes?: Shapes | ((draft: Draft) => Shapes);
  /** Fields that still hold what they began with are left out. */
  readonly changesOnly?: boolean;
  readonly isDangerous?: boolean;
  /** What somebody should have before their eyes who is about to do it. */
  readonly about?: ReactNode | ((draft: Draft) => ReactNode);
}

const REASON_MIN = 3;
const NOTHING: Preset = {};
const NO_SHAPES: Shapes = {};

export function ActForm(props: Props) {
  const { operation, preset = NOTHING, values = NOTHING, shapes = NO_SHAPES, options = {} } = props;
  const { changesOnly = false, isDangerous = false, about } = props;
  const chosen = useLane().lane;
  const lane = preset.lane ?? chosen;
  const { roles } = useIdentity();
  const fieldsFor = (typed: Draft): readonly ActField[] =>
    fieldsOf(
      operation,
      typeof shapes === 'function' ? shapes({ ...preset, ...typed }) : shapes,
    ).filter(({ name }) => preset[name] === undefined);
  const [begun] = useState<Draft>(() => draftOf(fieldsFor({}), values));
  const [draft, setDraft] = useState<Draft>(begun);
  const fields = fieldsFor(draft);
  const [reason, setReason] = useState('');
  const [isUnchanged, setUnchanged] = useState(false);
  const { faults, error, answer, isBusy, submit } = useAct(props, reason);
  if (answer !== null) {
    const said = saidIn(answer.input, answer.data);
    return <ActAnswer operation={operation} answer={answer.data} said={said} />;
  }
  const isOfLane = hasLane(operation);
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        const changed = fields.filter(({ name }) => draft[name] !== begun[name]);
        if (changesOnly && changed.length === 0) setUnchanged(true);
        else submit(changesOnly ? changed : fields, draft);
      }}
    >
      <p className="text-muted">{helpFor(operation.id, operation.description)}</p>
      {typeof about === 'function' ? about({ ...preset, ...draft }) : about}
      <Said preset={preset} />
      <FieldList
        fields={fields}
        draft={draft}
        faultOf={(name) => faults[name] ?? null}
        optionsOf={(name) => options[name] ?? null}
        onChange={(name, value) => {
          setUnchanged(false);
          setDraft({ ...draft, [name]: value });
        }}
      />
      {hasReason(operation) && (
        <Field
          label="Reason"
          name="reason"
          hint="Kept in the journal and the audit log."
          fault={faults.reason ?? null}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      <Notice
        words={
          isUnchanged
            ? 'Nothing has changed yet: change at least one value.'
            : Object.keys(faults).length > 0
              ? 'Fix the highlighted fields.'
              : null
        }
      />
      {error !== null && <ErrorNote error={error} />}
      <Button
        kind={isDangerous ? 'danger' : 'primary'}
        type="submit"
        isWide
        isBusy={isBusy}
        refusal={roleRefusal(roles, operation.role)}
      >
        {isOfLane ? `${operation.summary}, ${lane}` : operation.summary}
      </Button>
    </form>
  );
}

function Notice({ words }: { readonly words: string | null }) {
  if (words === null) return null;
  return (
    <p role="alert" className="text-loss">
      {words}
    </p>
  );
}

function Said({ preset }: { readonly preset: Preset }) {
  const id = useId();
  const said = Object.entries(preset);
  if (said.length === 0) return null;
  return (
    <dl className="flex flex-col gap-2">
      {said.map(([name, value]) => (
        <div key={`${id}-${name}`}>
          <dt className="text-xs text-muted">{labelOf(name)}</dt>
          <dd className="font-mono text-xs break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Answered {
  readonly data: unknown;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Sends it once for each thing that is asked for: the same words again go under the same key. */
function useAct({ operation, preset = {} }: Props, reason: string) {
  const { lane } = useLane();
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answered | null>(null);
  const [sent, setSent] = useState({ text: '', key: '' });

  const submit = async (fields: readonly ActField[], draft: Draft): Promise<void> => {
    const read = readDraft(fields, draft);
    const isUnsaid = hasReason(operation) && reason.trim().length < REASON_MIN;
    const found = isUnsaid
      ? { ...read.faults, reason: 'Say why, in three characters at least.' }
      : read.faults;
    setFaults(found);
    setError(null);
    if (Object.keys(found).length > 0) return;
    const input = inputOf(operation, read, preset, {
      ...(hasLane(operation) && { lane }),
      ...(hasReason(operation) && { reason: reason.trim() }),
    });
    const text = JSON.stringify(input);
    const key = text === sent.text ? sent.key : crypto.randomUUID();
    setSent({ text, key });
    setBusy(true);
    try {
      const { data } = await send(operation, input, { idempotencyKey: key });
      setAnswer({ data, input: { ...input.params, ...input.body } });
      if (operation.own) await readIdentity();
      await queries.invalidateQueries();
    } catch (fault) {
      const named = faultsOf(fault, fields);
      setFaults(named);
      if (Object.keys(named).length === 0) setError(fault);
    }
    setBusy(false);
  };
  return {
    faults,
    error,
    answer,
    isBusy,
    submit: (fields: readonly ActField[], draft: Draft) => {
      submit(fields, draft).catch(setError);
    },
  };
}

function inputOf(
  operation: AnyOperation,
  { params, body }: ReturnType<typeof readDraft>,
  preset: Preset,
  ofEveryForm: Readonly<Record<string, unknown>>,
) {
  const names = Object.keys(operation.input.params?.properties ?? {});
  const inPath = Object.entries(preset).filter(([name]) => names.includes(name));
  const inBody = Object.entries(preset).filter(([name]) => !names.includes(name));
  return {
    params: { ...params, ...Object.fromEntries(inPath) },
    ...(operation.input.body !== null && {
      body: { ...ofEveryForm, ...body, ...Object.fromEntries(inBody) },
    }),
  };
}

/** What the exchange said of one field, in the unit in which it is typed; none if it named no field of the form. */
function faultsOf(error: unknown, fields: readonly ActField[]): Faults {
  if (!(error instanceof SibylError)) return {};
  const { field: path = SCHEMA_FIELD[error.code], path: inside, expected } = error.details;
  if (typeof path !== 'string') return {};
  const name = fieldAt(fields, path);
  const field = fields.find((one) => one.name === name);
  if (field === undefined && !fields.some((one) => name.startsWith(`${one.name}[`))) return {};
  if (typeof expected !== 'string') return { [name]: error.message };
  const inUnit = expected.replace(/\d+/g, (digits) => field?.unit?.shown(Number(digits)) ?? digits);
  return {
    [name]: `${typeof inside === 'string' ? `${inside}: expected` : 'Expected'} ${inUnit}.`,
  };
}

/** Faults inside of a JSON Schema name the place in it. */
const SCHEMA_FIELD: Readonly<Record<string, string>> = { TEMPLATE_SCHEMA_INVALID: 'params_schema' };

/** The exchange may name a place inside of a field, or the field without the record that it is in. */
function fieldAt(fields: readonly ActField[], path: string): string {
  const isKnown = fields.some(({ name }) => name === path);
  const around = fields.find(({ name }) => path.startsWith(`${name}.`));
  const inside = fields.find(({ name }) => name.endsWith(`.${path}`));
  // Of a list of words in a row, the list.
  return (isKnown ? null : (around ?? inside)?.name) ?? path.replace(/\[\d+\]$/, '');
}
