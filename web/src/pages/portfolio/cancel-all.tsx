// Takes back all open orders, or those of one market, after asking once.
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { useNote } from '../../components/toasts.tsx';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { portfolioTexts } from './texts.ts';

interface Props {
  /** Null for all markets. */
  readonly marketId: string | null;
  readonly count: number;
}

export function CancelAll({ marketId, count }: Props) {
  const t = useTexts(portfolioTexts);
  const client = useClient();
  const note = useNote();
  const [isAsking, setAsking] = useState(false);
  const send = async (): Promise<void> => {
    const done = await client.orders.cancelAll(marketId === null ? {} : { market_id: marketId });
    note(t('cancelled', { count: done.cancelled.length }));
  };
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('cancelAll')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('cancelAllTitle', { count })}
          action={t('cancelAll')}
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <p>{t('cancelAllText')}</p>
        </Confirm>
      )}
    </>
  );
}
