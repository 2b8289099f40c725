// Chooses a stream by its name, narrows it down where it can be, and lists what is heard.

import { marketTitle } from '@sibyl/contract/names';
import type { Market, StreamBase, StreamNameText } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Select } from '../../../components/select.tsx';
import { basePath } from '../../../lane.ts';
import { useClient, useSession } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import { isStreamBase, streamBases, streamList } from './stream-list.ts';
import { streamTexts } from './texts.ts';
import type { Console } from './use-console.ts';

const ALL = 'all';
const MARKETS = 100;
const TITLE_MAX = 48;

export function Subscribe({ console }: { readonly console: Console }) {
  const t = useTexts(streamTexts);
  const locale = useLocale();
  const session = useSession();
  const markets = useMarkets();
  const [base, setBase] = useState<StreamBase>('ticker');
  const [marketId, setMarketId] = useState(ALL);
  const [outcomeId, setOutcomeId] = useState(ALL);
  const { isPublic, forms } = streamList[base];
  const market = forms === 'base' ? undefined : markets.find((one) => one.market_id === marketId);
  const hasOutcome =
    forms === 'outcome' && market?.outcomes.some(({ id }) => id === outcomeId) === true;
  const name: StreamNameText =
    market === undefined
      ? base
      : hasOutcome
        ? `${base}:${market.market_id}:${outcomeId}`
        : `${base}:${market.market_id}`;
  const refusal = console.subscriptions.includes(name)
    ? t('subscribed')
    : !isPublic && session.status !== 'signed_in'
      ? t('needsSignIn')
      : null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <Select
          label={t('stream')}
          value={base}
          choices={streamBases.map((value) => ({ value, label: value }))}
          onChoose={(value) => isStreamBase(value) && setBase(value)}
        />
        {forms !== 'base' && (
          <Select
            label={t('market')}
            value={market === undefined ? ALL : marketId}
            choices={[
              { value: ALL, label: t('allMarkets') },
              ...markets.map((one) => ({
                value: one.market_id,
                label: shortTitle(marketTitle(locale, one)),
              })),
            ]}
            onChoose={setMarketId}
          />
        )}
        {forms === 'outcome' && market !== undefined && (
          <Select
            label={t('outcome')}
            value={hasOutcome ? outcomeId : ALL}
            choices={[
              { value: ALL, label: t('allOutcomes') },
              ...market.outcomes.map(({ id, label }) => ({ value: id, label: shortTitle(label) })),
            ]}
            onChoose={setOutcomeId}
          />
        )}
        <Button kind="primary" refusal={refusal} onClick={() => console.subscribe(name)}>
          {t('subscribe')}
        </Button>
      </div>
      <code className="font-mono text-xs break-all text-muted">{name}</code>
      {console.subscriptions.length > 0 && (
        <ul aria-label={t('subscriptions')} className="flex flex-wrap gap-2">
          {console.subscriptions.map((one) => (
            <li
              key={one}
              className="inline-flex max-w-full items-center gap-1 rounded-md bg-accent-soft pl-2"
            >
              <code className="truncate font-mono text-xs">{one}</code>
              <button
                type="button"
                aria-label={t('unsubscribe', { name: one })}
                onClick={() => console.unsubscribe(one)}
                className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:text-text"
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function useMarkets(): readonly Market[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['console-markets', basePath],
    queryFn: async () =>
      (await client.markets.list({ status: 'active', limit: MARKETS }, { onAnswer: noteRate }))
        .items,
  });
  return data ?? [];
}

function shortTitle(title: string): string {
  return title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX)}…` : title;
}
