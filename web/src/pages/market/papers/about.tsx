// What a market is made of: template, parameters, maker, grid and fees.
import { paramValue } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { cents, shares } from '../../../format/amounts.ts';
import { paramName, paramsInOrder } from '../../../format/params.ts';
import { basePath } from '../../../lane.ts';
import { useTemplates } from '../../../live/use-templates.ts';
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
  const { template_id: id, template_version: version } = market;
  const template = useTemplates().find((each) => each.id === id && each.version === version);
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
        {id}, {t('version', { version })}
      </Fact>
      <Fact label={t('creator')}>
        {creator === null ? t('platform') : <code className="wrap-anywhere">{creator}</code>}
      </Fact>
      <Fact label={t('params')}>
        <dl>
          {paramsInOrder(market, template).map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2 wrap-anywhere">
              <dt className="text-muted">{paramName(locale, market, template, name)}</dt>
              <dd>
                <bdi>{paramValue(locale, name, value)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
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
