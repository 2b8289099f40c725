// Whether an endpoint is told of anything, in one word.
import { Badge, type Tone } from '../../../components/badge.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { wordOf } from '../word-of.ts';
import { webhookTexts } from './texts.ts';
import type { Webhook } from './use-webhooks.ts';

const tones: Readonly<Record<string, Tone>> = { active: 'gain', paused: 'warn', disabled: 'loss' };

export function WebhookBadge({ status }: Pick<Webhook, 'status'>) {
  const t = useTexts(webhookTexts);
  return <Badge tone={tones[status] ?? 'neutral'}>{wordOf(t, webhookTexts, status)}</Badge>;
}
