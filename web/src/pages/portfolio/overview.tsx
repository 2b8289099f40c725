// How much there is, where it is, and how it came to that.
import { addAmounts, subtractAmounts } from '@sibyl/sdk';
import { type ReactNode, useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Figure } from '../../components/figure.tsx';
import { Profit } from '../../components/profit.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { exactDirectionOf, signedMoney } from '../../format/amounts.ts';
import { useAccount } from '../../live/account-provider.tsx';
import type { MarkedPosition } from '../../live/marked-position.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { EquityChart } from './equity-chart.tsx';
import { Exposure } from './exposure.tsx';
import { sumOf } from './figures.ts';
import { portfolioTexts } from './texts.ts';
import { useMarkedPositions } from './use-marked-positions.ts';
import { useRangeResult } from './use-range-result.ts';
import { type Range, ranges, type Summary, useSummary } from './use-summary.ts';

const rangeTexts = { '1d': 'range1d', '1w': 'range1w', '1m': 'range1m', all: 'rangeAll' } as const;

export function Overview() {
  const t = useTexts(portfolioTexts);
  const [range, setRange] = useState<Range>('1d');
  const { summary, error, retry } = useSummary(range);
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start justify-between gap-4">
          <Equity summary={summary} />
          <Segmented
            label={t('range')}
            value={range}
            onChoose={setRange}
            choices={ranges.map((value) => ({ value, label: t(rangeTexts[value]) }))}
          />
        </div>
        {error === null ? (
          <EquityChart points={summary?.series ?? null} />
        ) : (
          <ErrorNote error={error} onRetry={retry} />
        )}
        <Parts summary={summary} />
        {summary !== null && <Exposure exposure={summary.exposure} />}
      </div>
    </Card>
  );
}

interface Props {
  readonly summary: Summary | null;
}

function unrealised({ profit, position }: MarkedPosition): string {
  return subtractAmounts(profit, position.realized_pnl);
}

function Equity({ summary }: Props) {
  const t = useTexts(portfolioTexts);
  const account = useAccount();
  const value = sumOf(useMarkedPositions().map((each) => each.value));
  const isKnown = account !== null && summary !== null;
  return (
    <div className="min-w-0">
      <p className="text-xs text-muted">{t('equity')}</p>
      <p className="text-2xl font-semibold tracking-tight" data-testid="equity">
        {isKnown ? (
          <>
            <Amount amount={sumOf([account.free, account.reserved, summary.staked, value])} />{' '}
            <span className="text-base text-muted">{account.account.asset}</span>
          </>
        ) : (
          <Skeleton className="h-12 w-48" />
        )}
      </p>
      <RangeProfit summary={summary} />
    </div>
  );
}

/** What was gained in the range, and what only came in. */
function RangeProfit({ summary }: Props) {
  const t = useTexts(portfolioTexts);
  const locale = useLocale();
  const result = useRangeResult(summary);
  const open = sumOf(useMarkedPositions().map(unrealised));
  // The summary is read now and then; prices have moved since.
  const moved = subtractAmounts(open, summary?.unrealized_pnl ?? open);
  return (
    <p className="min-h-4 text-xs text-muted" data-testid="range-profit">
      {result !== null && (
        <>
          <Profit amount={addAmounts(result.profit, moved)} /> {t('profitInRange')}
          {exactDirectionOf(result.deposits) !== 'flat' &&
            ` · ${t('depositsInRange', { amount: signedMoney(locale, result.deposits) })}`}
        </>
      )}
    </p>
  );
}

function Parts({ summary }: Props) {
  const t = useTexts(portfolioTexts);
  const account = useAccount();
  const positions = useMarkedPositions();
  const value = sumOf(positions.map((each) => each.value));
  const open = sumOf(positions.map((each) => each.profit));
  const opened = sumOf(positions.map(({ position }) => position.realized_pnl));
  const closed = summary && subtractAmounts(summary.realized_pnl, opened);
  const parts: readonly (readonly [string, ReactNode])[] = [
    [t('free'), account && <Amount amount={account.free} />],
    [t('reserved'), account && <Amount amount={account.reserved} />],
    [t('inPositions'), account && <Amount amount={value} />],
    [t('staked'), summary && <Amount amount={summary.staked} />],
    [t('openProfit'), account && <Profit amount={open} />],
    [t('closedProfit'), account && closed && <Profit amount={closed} />],
    [t('fees'), summary && <Amount amount={summary.fees_paid} />],
    [t('rebates'), summary && <Amount amount={summary.rebates} />],
  ];
  return (
    <dl className="grid grid-cols-2 gap-4 border-t border-line pt-4 sm:grid-cols-4 xl:grid-cols-8">
      {parts.map(([label, figure]) => (
        <Figure key={label} label={label}>
          {figure ?? <Skeleton className="h-6 w-16" />}
        </Figure>
      ))}
    </dl>
  );
}
