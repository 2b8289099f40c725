// What only play money allows: more of it, deciding how a market ends, and beginning anew.
import { outcomeName } from '@sibyl/contract/names';
import { type Market, MarketNotFoundError } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Select } from '../../components/select.tsx';
import { basePath } from '../../lane.ts';
import { FaucetButton } from '../../sandbox/faucet-button.tsx';
import { ResetButton } from '../../sandbox/reset-button.tsx';
import { sandboxTexts } from '../../sandbox/texts.ts';
import { sessionStore } from '../../session/session-store.ts';
import { useClient, useSession, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { useIsMock } from './mock-oracle.ts';

export const SandboxTools = memo(function SandboxTools({ market }: { readonly market: Market }) {
  const t = useTexts(sandboxTexts);
  // A reset frees the faucet: its button forgets the countdown.
  const [resets, setResets] = useState(0);
  const [isSettling, setSettling] = useState(false);
  return (
    <Card title={t('sandboxTools')}>
      <div className="flex flex-col items-start gap-2">
        <FaucetButton key={resets} size="small" />
        <Button size="small" refusal={useNoMock(market)} onClick={() => setSettling(true)}>
          {t('settle')}
        </Button>
        <ResetButton size="small" onReset={() => setResets(resets + 1)} />
      </div>
      {isSettling && <SettleDialog market={market} onClose={() => setSettling(false)} />}
    </Card>
  );
});

/** Why this market cannot be settled by hand; null if its creator can. */
function useNoMock(market: Market): string | null {
  const t = useTexts(sandboxTexts);
  const { status } = market;
  const isMock = useIsMock(market);
  const isCreator = useIsCreator(market);
  if (status === 'resolved' || status === 'cancelled') return t('isDecided');
  if (isMock === false) return t('settledByOthers');
  return isCreator === false ? t('othersTrade') : null;
}

/** By the deposit that creating it cost; null until that is known. */
function useIsCreator({ market_id: id, creator_address: creator }: Market): boolean | null {
  const client = useClient();
  const who = useWho();
  const isSignedIn = useSession().status === 'signed_in';
  const { data } = useQuery({
    queryKey: ['market-deposit', basePath, who, id],
    queryFn: async () => {
      const query = { market_id: id, reason: 'market_deposit', limit: 1 } as const;
      return (await client.portfolio.ledger(query)).items.length > 0;
    },
    enabled: isSignedIn && creator !== null,
  });
  if (!isSignedIn || creator === null) return false;
  return data ?? null;
}

function SettleDialog({
  market,
  onClose,
}: {
  readonly market: Market;
  readonly onClose: () => void;
}) {
  const t = useTexts(sandboxTexts);
  const locale = useLocale();
  const [outcomeId, setOutcomeId] = useState(market.outcomes[0]?.id ?? '');
  const settle = async (): Promise<void> => {
    const client = await sessionStore.beSomebody();
    await client.sandbox.settle({ market_id: market.market_id, winning_outcome_id: outcomeId });
  };
  return (
    <Confirm
      title={t('settleTitle')}
      action={t('settleNow')}
      onConfirm={settle}
      onClose={onClose}
      explain={(error) => (error instanceof MarketNotFoundError ? t('othersTrade') : null)}
    >
      <p className="text-muted">{t('settleHint')}</p>
      <Select
        label={t('winner')}
        value={outcomeId}
        onChoose={setOutcomeId}
        choices={market.outcomes.map((outcome) => ({
          value: outcome.id,
          label: outcomeName(locale, market, outcome),
        }))}
      />
    </Confirm>
  );
}
