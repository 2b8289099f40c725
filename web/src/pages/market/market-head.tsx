// The head of a market: its question, where it stands, and the probability as the largest thing on the page.

import { marketSubtitle, marketTitle, outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { Change } from '../../components/change.tsx';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { MarketArt } from '../../components/market-art.tsx';
import { Probability } from '../../components/probability.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { TimeLeft } from '../../components/time-left.tsx';
import { useNote } from '../../components/toasts.tsx';
import { WatchButton } from '../../components/watch-button.tsx';
import { roughly } from '../../format/amounts.ts';
import { rangeOf, rangeValue, valueAt } from '../../format/range.ts';
import { useAccount } from '../../live/account-provider.tsx';
import type { Tickers } from '../../live/use-tickers.ts';
import { invitingAddress } from '../../session/referral.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly outcome: Market['outcomes'][number];
  readonly tickers: Tickers;
}

export function MarketHead({ market, outcome, tickers }: Props) {
  const locale = useLocale();
  const title = marketTitle(locale, market);
  const subtitle = marketSubtitle(locale, market);
  return (
    <header className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <MarketArt marketId={market.market_id} />
        <div className="min-w-0 flex-1">
          <h1 dir="auto" className="line-clamp-4 text-lg font-semibold">
            {title}
          </h1>
          {subtitle !== '' && (
            <p dir="auto" className="line-clamp-2 text-muted">
              {subtitle}
            </p>
          )}
        </div>
        <div className="flex shrink-0">
          <ShareButton title={title} />
          <WatchButton marketId={market.market_id} />
        </div>
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <Headline market={market} outcome={outcome} tickers={tickers} />
        <Facts market={market} />
      </div>
    </header>
  );
}

function Headline({ market, outcome, tickers }: Props) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const range = rangeOf(market);
  // Of two sides the first is what the question asks for.
  const shown = market.outcome_schema === 'multi' ? outcome : (market.outcomes[0] ?? outcome);
  const ticker = tickers.get(shown.id);
  const price = ticker?.price ?? shown.price;
  return (
    <p className="flex min-w-0 flex-wrap items-baseline gap-x-3" data-testid="headline">
      {range === null ? (
        <Probability price={price} size="large" />
      ) : (
        <span className="text-2xl font-semibold tracking-tight">
          {rangeValue(locale, range, valueAt(range, price))}
        </span>
      )}
      <span dir="auto" className="max-w-80 truncate text-base font-semibold">
        {range === null ? outcomeName(locale, market, shown) : t('implied')}
      </span>
      {ticker !== undefined && hasDayChange(market) && (
        <span className="flex items-baseline gap-1">
          <Change change={ticker.change_24h} />
          <span className="text-xs text-muted">{t('today')}</span>
        </span>
      )}
    </p>
  );
}

/** A round is younger than a day, and of a range the headline is a number, not a price. */
function hasDayChange(market: Market): boolean {
  return market.status === 'active' && market.market_type !== 'fast' && rangeOf(market) === null;
}

function Facts({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
      <StateBadge market={market} />
      {market.status === 'scheduled' && <TimeLeft kind="opens" atMs={market.opens_at_ms} />}
      {market.status === 'active' && market.market_type !== 'fast' && (
        <TimeLeft kind="closes" atMs={market.closes_at_ms} />
      )}
      <span>{t('volume', { amount: roughly(locale, market.total_volume) })}</span>
      <span>{t('openInterest', { amount: roughly(locale, market.open_interest) })}</span>
    </p>
  );
}

function ShareButton({ title }: { readonly title: string }) {
  const t = useTexts(marketTexts);
  const note = useNote();
  const account = useAccount();
  const share = async (): Promise<void> => {
    const url = invitingAddress(
      location.origin + location.pathname,
      account?.account.referral_code,
    );
    const isPhone = matchMedia('(pointer: coarse)').matches && navigator.share !== undefined;
    try {
      if (isPhone) await navigator.share({ title, url });
      else {
        await navigator.clipboard.writeText(url);
        note(t('linkCopied'));
      }
    } catch {
      // Whoever closes the list of apps has changed their mind; that is no fault.
    }
  };
  return (
    <IconButton label={t('share')} onClick={share}>
      <Icon name="share" />
    </IconButton>
  );
}
