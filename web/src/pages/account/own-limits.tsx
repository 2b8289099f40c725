// What people allow themselves to pay in and to lose, and the way to keep themselves out.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FOR_EVER_MS } from '../../account/restriction-texts.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { money } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
import { asTyped, readAmount } from '../../format/typed-number.ts';
import { basePath, lane } from '../../lane.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import type { Locale } from '../../texts/texts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { ownLimitsTexts } from './own-limits-texts.ts';

const kinds = ['loss', 'deposit'] as const;
const periods = ['day', 'week', 'month'] as const;
type Kind = (typeof kinds)[number];
type Period = (typeof periods)[number];
/** As typed; what was not touched is as the exchange tells it. */
type Typed = Partial<Record<`${Kind}_${Period}`, string>>;

export function OwnLimits() {
  const t = useTexts(ownLimitsTexts);
  const client = useClient();
  const who = useWho();
  const { data, error } = useQuery({
    queryKey: ['own_limits', basePath, who],
    queryFn: () => client.limits.get(),
  });
  return (
    <Card title={t('limits')}>
      {error !== null && <ErrorNote error={error} />}
      {error === null && data === undefined && <Skeleton className="h-40" />}
      {data !== undefined && <LimitsForm limits={data} />}
    </Card>
  );
}

type Limits = Awaited<ReturnType<ReturnType<typeof useClient>['limits']['get']>>;

function LimitsForm({ limits }: { readonly limits: Limits }) {
  const t = useTexts(ownLimitsTexts);
  const client = useClient();
  const refresh = useRefresh();
  const locale = useLocale();
  const [typed, setTyped] = useState<Typed>({});
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');
  const [error, setError] = useState<unknown>(null);
  const shownIn = (kind: Kind, period: Period): string =>
    typed[`${kind}_${period}`] ?? asTyped(locale, plain(limits[kind][period].amount));
  const isCounted = kinds.some((kind) => periods.some((period) => isSet(limits[kind][period])));
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (Object.values(typed).some((text) => !isLimit(locale, text))) return;
    setState('busy');
    setError(null);
    const wantedIn = (kind: Kind, period: Period): string | null => {
      const text = typed[`${kind}_${period}`];
      return text === undefined ? announced(limits[kind][period]) : amountOf(locale, text);
    };
    const wanted = (kind: Kind) => ({
      day: wantedIn(kind, 'day'),
      week: wantedIn(kind, 'week'),
      month: wantedIn(kind, 'month'),
    });
    try {
      await client.limits.set({ deposit: wanted('deposit'), loss: wanted('loss') });
      setTyped({});
      await refresh();
      setState('done');
    } catch (fault) {
      setError(fault);
      setState('idle');
    }
  };
  return (
    <form onSubmit={send} className="flex flex-col gap-3" noValidate>
      <p className="text-muted">{t('limitsText')}</p>
      <p>{t(lane === 'live' ? 'realMoney' : 'playMoney')}</p>
      {kinds.map((kind) => (
        <fieldset key={kind} className="grid gap-2 sm:grid-cols-3">
          <legend className="mb-1 font-semibold">{t(kind)}</legend>
          {periods.map((period) => (
            <LimitField
              key={period}
              name={t(period)}
              limit={limits[kind][period]}
              isCounted={isCounted}
              value={shownIn(kind, period)}
              onType={(text) => {
                setState('idle');
                setTyped({ ...typed, [`${kind}_${period}`]: text });
              }}
            />
          ))}
        </fieldset>
      ))}
      {error !== null && <ErrorNote error={error} />}
      {state === 'done' && (
        <p role="status" className="rounded-md bg-gain-soft p-3 text-gain">
          {t('saved')}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" isBusy={state === 'busy'}>
          {t('save')}
        </Button>
        <Exclusion />
      </div>
    </form>
  );
}

interface LimitFieldProps {
  readonly name: string;
  readonly limit: Limits['loss']['day'];
  /** Without any limit nothing is counted, and nothing can be said of it. */
  readonly isCounted: boolean;
  readonly value: string;
  readonly onType: (text: string) => void;
}

function LimitField({ name, limit, isCounted, value, onType }: LimitFieldProps) {
  const t = useTexts(ownLimitsTexts);
  const locale = useLocale();
  const { used, next_from_ms: fromMs, next_amount: next } = limit;
  const amount = next === null ? t('noLimit') : money(locale, next);
  const hint =
    fromMs === null
      ? t('used', { amount: money(locale, used) })
      : t('later', { time: dateTime(locale, fromMs), amount });
  return (
    <Field
      label={name}
      inputMode="decimal"
      placeholder={t('noLimit')}
      {...(isCounted && { hint })}
      fault={isLimit(locale, value) ? null : t('amountFault')}
      value={value}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

const DAY_MS = 86_400_000;
const spans = { d1: 1, d30: 30, d180: 180, ever: null } as const;

function Exclusion() {
  const t = useTexts(ownLimitsTexts);
  const client = useClient();
  const refresh = useRefresh();
  const [span, setSpan] = useState<keyof typeof spans>('d30');
  const [isAsking, setAsking] = useState(false);
  const exclude = async (): Promise<void> => {
    const days = spans[span];
    const until = days === null ? FOR_EVER_MS : Date.now() + days * DAY_MS;
    await client.limits.exclude({ until_ms: until });
    await refresh();
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('exclude')}</Button>
      {isAsking && (
        <Confirm
          title={t('exclude')}
          action={t('exclude')}
          onConfirm={exclude}
          onClose={() => setAsking(false)}
        >
          <p>{t('excludeText')}</p>
          <p>{t(lane === 'live' ? 'realMoney' : 'playMoney')}</p>
          <Select
            label={t('howLong')}
            value={span}
            onChoose={setSpan}
            choices={(['d1', 'd30', 'd180', 'ever'] as const).map((value) => ({
              value,
              label: t(value),
            }))}
          />
        </Confirm>
      )}
    </>
  );
}

/** Limits and restrictions are told anew. */
function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: ['own_limits'] });
    await queries.invalidateQueries({ queryKey: ['account'] });
  };
}

/** Now, or from a time that was told. */
function isSet({ amount, next_amount: next }: Limits['loss']['day']): boolean {
  return amount !== null || next !== null;
}

/** What was asked for last: asking for the amount of today would take a raise back that waits for its day. */
function announced({
  amount,
  next_amount: next,
  next_from_ms: fromMs,
}: Limits['loss']['day']): string | null {
  return fromMs === null ? amount : next;
}

/** Without the places that say nothing. */
function plain(amount: string | null): string {
  return amount === null ? '' : amount.replace(/\.?0+$/, '');
}

/** An amount, or nothing, which is no limit. */
function isLimit(locale: Locale, text: string): boolean {
  return text.trim() === '' || readAmount(locale, text) !== null;
}

function amountOf(locale: Locale, text: string): string | null {
  return text.trim() === '' ? null : readAmount(locale, text);
}
