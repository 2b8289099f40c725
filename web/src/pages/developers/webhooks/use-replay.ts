// Sends to an endpoint once more, and shows what is on its way.
import type { Body } from '@sibyl/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNote } from '../../../components/toasts.tsx';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import { webhookTexts } from './texts.ts';
import type { Webhook } from './use-webhooks.ts';

export interface Replaying {
  readonly replay: (what: Body<'replayWebhook'>) => Promise<void>;
  readonly error: unknown;
  readonly isBusy: boolean;
}

export function useReplay({ webhook_id: id }: Webhook): Replaying {
  const t = useTexts(webhookTexts);
  const client = useClient();
  const queries = useQueryClient();
  const note = useNote();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const replay = async (what: Body<'replayWebhook'>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const { queued } = await client.webhooks.replay(id, what, { onAnswer: noteRate });
      note(t('queued', { count: queued }));
      await queries.invalidateQueries({ queryKey: ['deliveries'] });
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return { replay, error, isBusy };
}
