// The form of any act: what it asks for, why it is done, and what came of it.
import type { AnyOperation } from '@sibyl/contract/console';
import { labelOf } from '@sibyl/contract/console';
import { SibylError } from '@sibyl/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import type { Choice } from '../../components/select.tsx';
import { useLane } from '../lane.tsx';
import { send } from '../plane.ts';
import { readIdentity, roleRefusal, useIdentity } from '../session/use-session.ts';
import { ActAnswer } from './act-answer.tsx';
import { type Draft, fieldsOf, hasLane, hasReason } from './act-fields.ts';
import { type Faults, readDraft } from './act-input.ts';
import { helpFor } from './act-words.ts';
import { saidIn } from './said.ts';
import { TypedField } from './typed-field.tsx';

/** What the page says already; it is shown, and not asked for. */
export type Preset = Readonly<Record<string, string>>;

interface Props {
  readonly operation: AnyOperation;
  readonly preset?: Preset;
  /** What fields begin with. */
  readonly draft?: Draft;
  /** What there is to choose from, where the page knows it. */
  readonly options?: Readonly<Record<string, readonly Choice<string>[]>>;
  readonly isDangerous?: boolean;
  /** What somebody should have before their eyes who is about to do it. */
  readonly about?: ReactNode;
}

const REASON_MIN = 3;
const NOTHING: Preset = {};

export function ActForm(props: Props) {
  const { operation, preset = NOTHING, options = {}, isDangerous = false, about } = props;
  const chosen = useLane().lane;
  const lane = preset.lane ?? chosen;
  const { roles } = useIdentity();
  const fields = useMemo(
    () => fieldsOf(operation).filter(({ name }) => preset[name] === undefined),
    [operation, preset],
  );
  const [draft, setDraft] = useState<Draft>(props.draft ?? {});
  const [reason, setReason] = useState('');
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
        submit(readDraft(fields, draft));
      }}
    >
      <p className="text-muted">{helpFor(operation.id, operation.description)}</p>
      {about}
      <Said preset={preset} />
      {fields.map((field) => (
        <TypedField
          key={field.name}
          field={field}
          value={draft[field.name] ?? ''}
          fault={faults[field.name] ?? null}
          options={options[field.name] ?? null}
          onChange={(value) => setDraft({ ...draft, [field.name]: value })}
        />
      ))}
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

  const submit = async (read: ReturnType<typeof readDraft>): Promise<void> => {
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
      setFaults(faultOf(fault));
      setError(fault);
    }
    setBusy(false);
  };
  return {
    faults,
    error,
    answer,
    isBusy,
    submit: (read: ReturnType<typeof readDraft>) => {
      submit(read).catch(setError);
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

/** What the exchange said of one field stands beside it as well. */
function faultOf(error: unknown): Faults {
  if (!(error instanceof SibylError)) return {};
  const { field, expected } = error.details;
  if (typeof field !== 'string') return {};
  return { [field]: typeof expected === 'string' ? `Expected ${expected}.` : 'Not taken so.' };
}
