// What is free and what is bound, and how money gets in.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FOR_EVER_MS } from '../../account/restriction-texts.ts';
import { useAccount as useRestrictions } from '../../account/use-account.ts';
import { Amount } from '../../components/amount.tsx';
import { Card } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Figure } from '../../components/figure.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { dateTime } from '../../format/times.ts';
import { basePath } from '../../lane.ts';
import { useAccount } from '../../live/account-provider.tsx';
import { useClient, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { moneyTexts } from './texts.ts';
import { queryNames } from './use-money-news.ts';

export function Balances() {
  const t = useTexts(moneyTexts);
  const client = useClient();
  const who = useWho();
  const account = useAccount();
  const { data, error, refetch } = useQuery({
    queryKey: [queryNames.balance, basePath, who],
    queryFn: () => client.portfolio.balance(),
  });
  const read = data?.balances[0];
  const figures: readonly (readonly [string, string | undefined])[] = [
    [t('free'), account?.free],
    [t('reserved'), account?.reserved],
    [t('inOrders'), read?.reserved_by.orders],
    [t('inWithdrawals'), read?.reserved_by.withdrawals],
    [t('pending'), read?.pending],
  ];
  const asset = account?.account.asset ?? '';
  return (
    <Card title={t('balance')} aside={<span className="text-muted">{asset}</span>}>
      <div className="flex flex-col gap-4">
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-5">
          {figures.map(([label, amount]) => (
            <Figure key={label} label={label}>
              {amount === undefined ? (
                <Skeleton className="h-6 w-16" />
              ) : (
                <Amount amount={amount} />
              )}
            </Figure>
          ))}
        </dl>
        {error !== null && (
          <ErrorNote
            error={error}
            onRetry={() => {
              refetch().catch(() => undefined);
            }}
          />
        )}
        <PayingIn instructions={data?.deposit_instructions ?? null} />
      </div>
    </Card>
  );
}

/** Money that would be refused is not asked for. */
function PayingIn({ instructions }: { readonly instructions: string | null }): ReactNode {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const { data } = useRestrictions();
  if (data === undefined) return null;
  const exclusion = data.restriction_reasons.find(({ rule_id: id }) => id === 'self_exclusion');
  const untilMs = exclusion?.until_ms ?? null;
  if (untilMs === null) {
    return instructions === null ? null : <Instructions>{instructions}</Instructions>;
  }
  const isForEver = untilMs === FOR_EVER_MS;
  return (
    <section aria-label={t('payIn')} className="rounded-md bg-page p-3">
      <p>
        {isForEver
          ? t('nothingInForEver')
          : t('nothingInUntil', { time: dateTime(locale, untilMs) })}
      </p>
    </section>
  );
}

/** In the operator's own words, which are the same in every language. */
function Instructions({ children }: { readonly children: string }): ReactNode {
  const t = useTexts(moneyTexts);
  return (
    <section aria-label={t('payIn')} className="rounded-md bg-page p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">{t('payIn')}</h3>
        <CopyButton text={children} />
      </div>
      <p className="whitespace-pre-line wrap-anywhere">{children}</p>
    </section>
  );
}
