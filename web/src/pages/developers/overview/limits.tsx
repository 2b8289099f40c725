// What the account may do: caps of money, and requests per minute with what is left of them.
import { type Account, parseAmount } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../../components/card.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Meter } from '../../../components/meter.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { money } from '../../../format/amounts.ts';
import { dateTime } from '../../../format/times.ts';
import { basePath } from '../../../lane.ts';
import { useClient, useSession, useWho } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { noteRate, useRates } from '../rates.ts';
import { overviewTexts } from './texts.ts';

export function Limits() {
  const t = useTexts(overviewTexts);
  const client = useClient();
  const session = useSession();
  const who = useWho();
  const { data, error, refetch } = useQuery({
    queryKey: ['developer-limits', basePath, who],
    queryFn: () => client.account.get({}, { onAnswer: noteRate }),
    enabled: session.status === 'signed_in',
  });
  return (
    <Card title={t('limits')}>
      {session.status === 'visitor' && <p className="text-muted">{t('limitsNeed')}</p>}
      {error !== null && <ErrorNote error={error} onRetry={() => refetch()} />}
      {session.status !== 'visitor' && error === null && data === undefined && (
        <Skeleton className="h-64 w-full" />
      )}
      {data !== undefined && <LimitsOf account={data} />}
    </Card>
  );
}

function LimitsOf({ account }: { readonly account: Account }) {
  const t = useTexts(overviewTexts);
  const locale = useLocale();
  const { order_notional_max: perOrder, daily_notional_max: perDay } = account.limits;
  const { daily_notional_used: used } = account.limits;
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-3">
        <Figure label={t('tier')}>
          {account.tier === null ? (
            <span className="text-sm font-normal whitespace-normal">{t('ofSession')}</span>
          ) : (
            <code className="font-mono">{account.tier}</code>
          )}
        </Figure>
        <Figure label={t('perOrder')}>
          {perOrder === null ? t('noCap') : `${money(locale, perOrder)} ${account.asset}`}
        </Figure>
        {perDay === null && (
          <Figure label={t('perDay')}>
            {money(locale, used)} · {t('noCap')}
          </Figure>
        )}
      </dl>
      {perDay !== null && (
        <Meter
          label={t('perDay')}
          share={shareOf(used, perDay)}
          used={money(locale, used)}
          most={money(locale, perDay)}
        />
      )}
      <Rates limits={account.limits.requests_per_minute} />
      {account.limits.announced.map((next, at, all) => (
        <Announced
          key={next.effective_at_ms}
          before={all[at - 1] ?? account.limits}
          next={next}
          asset={account.asset}
        />
      ))}
    </div>
  );
}

const categories = [
  ['read', 'read'],
  ['trade', 'trade'],
  ['cancel', 'cancelRate'],
  ['account_read', 'accountRead'],
  ['account_write', 'accountWrite'],
  ['create', 'create'],
] as const;

function Rates({ limits }: { readonly limits: Account['limits']['requests_per_minute'] }) {
  const t = useTexts(overviewTexts);
  const locale = useLocale();
  const rates = useRates();
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">{t('rates')}</h3>
      {categories.map(([category, text]) => {
        const { limit = null, remaining = null } = rates.get(category) ?? {};
        // Where no answer has told what is left, nothing is drawn.
        if (limit === null || remaining === null) {
          return (
            <div key={category} className="flex justify-between gap-2 text-xs">
              <span className="text-muted">{t(text)}</span>
              <span>{limits[category].toLocaleString(locale)}</span>
            </div>
          );
        }
        const used = limit - remaining;
        return (
          <Meter
            key={category}
            label={t(text)}
            share={limit === 0 ? 1 : used / limit}
            used={used.toLocaleString(locale)}
            most={limit.toLocaleString(locale)}
          />
        );
      })}
      <p className="text-xs text-muted">{t('ratesHint')}</p>
    </section>
  );
}

type Announcement = Account['limits']['announced'][number];

interface AnnouncedProps {
  readonly before: Pick<
    Announcement,
    'order_notional_max' | 'daily_notional_max' | 'requests_per_minute'
  >;
  readonly next: Announcement;
  readonly asset: string;
}

/** What was announced, as far as it is another number than before. */
function Announced({ before, next, asset }: AnnouncedProps) {
  const t = useTexts(overviewTexts);
  const locale = useLocale();
  const capText = (cap: string | null) =>
    cap === null ? t('noCap') : `${money(locale, cap)} ${asset}`;
  const caps = [
    ['perOrder', 'order_notional_max'],
    ['capPerDay', 'daily_notional_max'],
  ] as const;
  const changes = [
    ...caps
      .filter(([, cap]) => next[cap] !== before[cap])
      .map(([text, cap]) => [t(text), capText(next[cap])] as const),
    ...categories
      .filter(([name]) => next.requests_per_minute[name] !== before.requests_per_minute[name])
      .map(
        ([name, text]) => [t(text), next.requests_per_minute[name].toLocaleString(locale)] as const,
      ),
  ];
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="font-semibold text-warn">
        {t('announced', { when: dateTime(locale, next.effective_at_ms) })}
      </h3>
      {changes.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-2 text-xs">
          <span className="text-muted">{label}</span>
          <span>{value}</span>
        </div>
      ))}
    </section>
  );
}

/** How much of it, to a hundredth: enough to draw a bar. */
function shareOf(used: string, most: string): number {
  const whole = parseAmount(most);
  return whole === 0n ? 1 : Number((parseAmount(used) * 100n) / whole) / 100;
}
