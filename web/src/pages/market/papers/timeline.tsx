// The steps of a market from its creation to its result; those that lie ahead are named too.
import type { Market } from '@sibyl/sdk';
import { dateTime } from '../../../format/times.ts';
import { useLocksAt } from '../../../live/use-locks-at.ts';
import { useNow } from '../../../live/use-now.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { papersTexts } from './texts.ts';

interface Station {
  readonly text: keyof typeof papersTexts;
  /** Null if it has not happened, or its time is not known. */
  readonly atMs: number | null;
  /** It has happened, though nobody says when. */
  readonly isPast?: boolean;
}

export function Timeline({ market }: { readonly market: Market }) {
  const t = useTexts(papersTexts);
  const locale = useLocale();
  const nowMs = useNow();
  const locksAtMs = useLocksAt(market);
  return (
    <div className="flex flex-col gap-4 p-4">
      <ol className="flex flex-col gap-3">
        {stationsOf(market, locksAtMs).map(({ text, atMs, isPast: isKnownPast = false }) => {
          const isPast = isKnownPast || (atMs !== null && atMs <= nowMs);
          return (
            <li key={text} className={`flex items-baseline gap-3 ${isPast ? '' : 'text-muted'}`}>
              <span
                aria-hidden="true"
                className={`size-2.5 shrink-0 rounded-full border-2 border-accent ${isPast ? 'bg-accent' : ''}`}
              />
              <span className="flex-1 font-semibold">{t(text)}</span>
              <span>{atMs !== null ? dateTime(locale, atMs) : isPast ? '' : t('notYet')}</span>
            </li>
          );
        })}
      </ol>
      <Evidence market={market} />
    </div>
  );
}

function stationsOf(market: Market, locksAtMs: number): readonly Station[] {
  const { resolution, status } = market;
  const start: Station[] = [
    { text: 'atCreated', atMs: market.created_at_ms },
    { text: 'atOpens', atMs: market.opens_at_ms },
    { text: 'atCloses', atMs: locksAtMs },
    ...(market.market_type === 'fast'
      ? [{ text: 'atPriceRead', atMs: market.closes_at_ms } as const]
      : []),
  ];
  if (status === 'cancelled')
    return [...start, { text: 'atCancelled', atMs: market.settles_at_ms }];
  return [
    ...start,
    { text: 'atProposed', atMs: resolution?.proposed_at_ms ?? null },
    ...(resolution?.disputed === true
      ? [{ text: 'atDisputed', atMs: null, isPast: true } as const]
      : []),
    { text: 'atChallenge', atMs: resolution?.challenge_ends_at_ms ?? null },
    { text: 'atFinal', atMs: resolution?.finalized_at_ms ?? null },
  ];
}

/** Addresses and texts that others gave: shown as they are, and never opened. */
function Evidence({ market }: { readonly market: Market }) {
  const t = useTexts(papersTexts);
  const evidence = market.resolution?.evidence ?? [];
  if (evidence.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="font-semibold">{t('evidence')}</h3>
      <ul className="flex flex-col gap-1 text-muted">
        {evidence.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same text may stand there twice, and the list never changes order
          <li key={index} dir="auto" className="wrap-anywhere">
            {entry}
          </li>
        ))}
      </ul>
    </div>
  );
}
