// What a market is made of: template, parameters, maker, grid and fees.
import type { Market } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { cents, shares } from '../../../format/amounts.ts';
import { basePath } from '../../../lane.ts';
import { useClient } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { papersTexts } from './texts.ts';

export function About({ market }: { readonly market: Market }) {
  const t = useTexts(papersTexts);
  const locale = useLocale();
  const client = useClient();
  const { data: fees } = useQuery({
    queryKey: ['fees', basePath],
    queryFn: () => client.liquidity.config(),
    staleTime: 600_000,
  });
  const creator = market.creator_address;
  return (
    <dl className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <Fact label={t('marketId')}>
        <span className="flex flex-wrap items-center gap-1">
          <code>{market.market_id}</code>
          <CopyButton text={market.market_id} />
        </span>
        <p className="text-muted">{t('derived')}</p>
      </Fact>
      <Fact label={t('template')}>
        {market.template_id}, {t('version', { version: market.template_version })}
      </Fact>
      <Fact label={t('creator')}>
        {creator === null ? t('platform') : <code className="wrap-anywhere">{creator}</code>}
      </Fact>
      <Fact label={t('params')}>
        <ul>
          {Object.entries(market.params).map(([name, value]) => (
            <li key={name} className="wrap-anywhere">
              <span className="text-muted">{name}</span> <bdi>{String(value)}</bdi>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label={t('steps')}>
        {t('stepsAre', {
          tick: cents(locale, market.tick_size, 2),
          lot: shares(locale, market.lot_size),
          least: shares(locale, market.min_size),
        })}
      </Fact>
      <Fact label={t('fees')}>
        {fees !== undefined && (
          <>
            <p>{t('feesAre', { low: fees.taker_fee.floor_bps, high: fees.taker_fee.peak_bps })}</p>
            <code className="text-xs wrap-anywhere text-muted">{fees.taker_fee.formula}</code>
          </>
        )}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
