// Test money at a press; while there is none it says when there will be.
import { SibylError } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { useNote } from '../components/toasts.tsx';
import { money } from '../format/amounts.ts';
import { countdown } from '../format/times.ts';
import { useNow } from '../live/use-now.ts';
import { sessionStore } from '../session/session-store.ts';
import { errorSentence } from '../texts/errors.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { sandboxTexts } from './texts.ts';

interface Props {
  readonly size?: 'small' | 'medium';
  readonly isWide?: boolean;
}

export function FaucetButton({ size = 'medium', isWide = false }: Props) {
  const t = useTexts(sandboxTexts);
  const locale = useLocale();
  const note = useNote();
  const [nextMs, setNextMs] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const leftMs = nextMs - useNow();
  const take = async (): Promise<void> => {
    setBusy(true);
    try {
      const client = await sessionStore.beSomebody();
      const { amount, asset, next_at_ms: next } = await client.sandbox.faucet();
      setNextMs(next);
      note(t('faucetGave', { amount: money(locale, amount), asset }));
    } catch (error) {
      const waitMs = waitOf(error);
      if (waitMs === null) note(t('faucetNot'), errorSentence(locale, error));
      else setNextMs(Date.now() + waitMs);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      size={size}
      isWide={isWide}
      isBusy={isBusy}
      refusal={leftMs > 0 ? t('faucetAgain', { time: countdown(leftMs) }) : null}
      onClick={take}
    >
      {t('faucet')}
    </Button>
  );
}

/** How long the faucet still gives nothing; null if something else went wrong. */
function waitOf(error: unknown): number | null {
  return error instanceof SibylError && error.code === 'RATE_LIMITED' ? error.retryAfterMs : null;
}
