// How the market is decided, and by whom.
import type { Market } from '@sibyl/sdk';
import { marketRules } from '../../../format/market-rules.ts';
import { dateTime, duration } from '../../../format/times.ts';
import { useTemplates } from '../../../live/use-templates.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { CancellationPrice } from './cancellation-price.tsx';
import { papersTexts } from './texts.ts';

const sources: Readonly<Record<string, keyof typeof papersTexts>> = {
  sandbox_mock: 'sourceMock',
  manual: 'sourceManual',
  http_json: 'sourceHttp',
  price_feed: 'sourceFeed',
  quorum: 'sourceQuorum',
};

export function Rules({ market }: { readonly market: Market }) {
  const t = useTexts(papersTexts);
  const locale = useLocale();
  const template = useTemplates().find(({ id }) => id === market.template_id);
  const oracle = template?.oracle_config;
  const written = marketRules(locale, market);
  return (
    <div className="flex max-w-prose flex-col gap-3 p-4">
      <p dir="auto" className="whitespace-pre-line">
        {written === '' ? t('noRules') : written}
      </p>
      {market.title !== market.rendered_title && (
        <p dir="auto" className="text-muted">
          {t('renderedTitle', { title: market.rendered_title })}
        </p>
      )}
      {market.clarifications.map(({ text: added, clarified_at_ms: atMs }) => (
        <p key={`${atMs} ${added}`} dir="auto" className="whitespace-pre-line">
          <strong>{t('clarified', { time: dateTime(locale, atMs) })}</strong> {added}
        </p>
      ))}
      {oracle !== undefined && (
        <p>
          <strong>{t('source')}</strong> {t(sourceOf(market, oracle.source))}
          {oracle.challenge_sec > 0 &&
            ` ${t('challenge', { time: duration(locale, oracle.challenge_sec * 1_000) })}`}
        </p>
      )}
      <CancellationPrice market={market} />
    </div>
  );
}

/** A round ends by its price, also where other markets are ended by hand. */
function sourceOf({ market_type: type }: Market, source: string): keyof typeof papersTexts {
  if (type === 'fast' && source === 'sandbox_mock') return 'sourceRound';
  return sources[source] ?? 'sourceOther';
}
