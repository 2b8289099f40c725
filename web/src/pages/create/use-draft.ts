// A market that is being written: what was typed, what is wrong with it, and what the exchange would make of it.
import { type Answer, type Body, parseAmount, SibylError, type Template } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { localMinute } from '../../format/local-time.ts';
import { templateWords } from '../../format/template-words.ts';
import { basePath } from '../../lane.ts';
import { useClient, useSession, useWho } from '../../session/use-session.ts';
import { useLocale } from '../../texts/use-texts.ts';
import { keep, readKept } from './kept-draft.ts';
import { endsFault, type Fault, type Param, paramsOf, readParam, type Typed } from './params.ts';

const TYPING_PAUSE_MS = 350;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

export interface Draft {
  readonly params: readonly Param[];
  readonly typed: Typed;
  readonly type: (name: string, text: string) => void;
  /** A title of one's own instead of the template's; nothing for the template's. */
  readonly title: string;
  readonly setTitle: (title: string) => void;
  /** By name, of every field that is not right yet. */
  readonly faults: Readonly<Record<string, Fault | undefined>>;
  /** Null while a field is not right. */
  readonly body: Body<'createMarket'> | null;
}

export function useDraft(template: Template): Draft {
  const locale = useLocale();
  const params = useParams(template);
  const [kept] = useState(() => readKept(template.id));
  const [typed, setTyped] = useState<Typed>(() => ({ ...firstTyped(params), ...kept?.typed }));
  const [title, setTitle] = useState(kept?.title ?? '');
  useEffect(() => keep(template.id, { typed, title }), [template.id, typed, title]);
  const faults: Record<string, Fault> = {};
  const values: Record<string, string | number | boolean> = {};
  for (const param of params) {
    const read = readParam(locale, param, typed[param.name] ?? '', Date.now());
    if ('fault' in read) faults[param.name] = read.fault;
    else if (read.value !== null) values[param.name] = read.value;
  }
  const ends = template.outcome_schema === 'scalar' ? endsFault(values) : null;
  if (ends !== null) faults.upper = ends;
  const own = title.trim() === '' ? {} : { creator_metadata: { display_title: title.trim() } };
  const isWhole = Object.keys(faults).length === 0;
  return {
    params,
    typed,
    type: (name, text) => setTyped((before) => ({ ...before, [name]: text })),
    faults,
    title,
    setTitle,
    body: isWhole ? { template_id: template.id, params: values, ...own } : null,
  };
}

/** What the template asks for, with the labels that the exchange wrote in the reader's language. */
function useParams({ id, params_schema: schema }: Template): readonly Param[] {
  const locale = useLocale();
  return useMemo(
    () =>
      paramsOf(schema).map((param) => ({
        ...param,
        label: templateWords(locale, id, param.label),
      })),
    [id, schema, locale],
  );
}

/** Most questions are decided soon: a closing time in a week, on the hour, can be changed. */
function firstTyped(params: readonly Param[]): Typed {
  const inAWeek = Math.ceil((Date.now() + WEEK_MS) / HOUR_MS) * HOUR_MS;
  const entries = params.map(({ name, kind, isRequired }) => [
    name,
    kind === 'instant' && isRequired ? localMinute(inAWeek) : '',
  ]);
  return Object.fromEntries(entries);
}

export interface MarketPreview {
  /** What the exchange said to what stands in the form now; null while it has not. */
  readonly answer: Answer<'createMarket'> | null;
  readonly existed: boolean;
  readonly error: unknown;
}

export function usePreview(body: Draft['body']): MarketPreview {
  const client = useClient();
  const session = useSession();
  const who = useWho();
  const text = body === null ? '' : JSON.stringify(body);
  const settled = usePaused(text);
  const isCurrent = settled === text && body !== null;
  const { data, error } = useQuery({
    queryKey: ['create-preview', basePath, who, settled],
    queryFn: ({ signal }) =>
      client.markets.create(JSON.parse(settled), { dry_run: true }, { signal }),
    enabled: isCurrent && session.status === 'signed_in',
    staleTime: 0,
    gcTime: 0,
  });
  const answer = isCurrent ? (data ?? null) : null;
  return { answer, existed: isExisting(answer), error: isCurrent ? error : null };
}

/** A market that is there already costs nothing more; a new one always has a deposit. */
function isExisting(answer: Answer<'createMarket'> | null): boolean {
  return answer?.preview !== undefined && parseAmount(answer.preview.deposit) === 0n;
}

const FIELD = 'params.';

/** The field that the exchange refused, if it named one. */
export function refusedParam(error: unknown): { name: string; expected: string } | null {
  if (!(error instanceof SibylError) || error.code !== 'MARKET_TEMPLATE_PARAM_INVALID') return null;
  const { field, expected } = error.details;
  if (typeof field !== 'string' || typeof expected !== 'string') return null;
  return field.startsWith(FIELD) ? { name: field.slice(FIELD.length), expected } : null;
}

/** The text once nobody has typed for a moment. */
function usePaused(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
