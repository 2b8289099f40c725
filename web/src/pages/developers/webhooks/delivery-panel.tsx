// One delivery: what is sent, what came of each attempt, and once more.
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { latency } from '../../../format/latency.ts';
import { clockTime } from '../../../format/times.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { prettyJson } from '../pretty-json.ts';
import { When } from '../when.tsx';
import { wordOf } from '../word-of.ts';
import { webhookTexts } from './texts.ts';
import { useReplay } from './use-replay.ts';
import type { Delivery, Webhook } from './use-webhooks.ts';

interface Props {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
}

export function DeliveryPanel({ webhook, delivery }: Props) {
  const t = useTexts(webhookTexts);
  const { replay, error, isBusy } = useReplay(webhook);
  const { delivery_id: id, status, next_attempt_at_ms: nextMs, replay_of: repeats } = delivery;
  const refusal =
    webhook.status !== 'active'
      ? t('notActive')
      : status === 'pending' || status === 'waiting'
        ? t('stillOnItsWay')
        : null;
  return (
    <Card
      title={<code className="font-mono text-xs break-all">{id}</code>}
      aside={
        <Button
          size="small"
          kind="primary"
          isBusy={isBusy}
          refusal={refusal}
          onClick={() => replay({ delivery_id: id })}
        >
          {t('sendAgain')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {error !== null && <ErrorNote error={error} />}
        <Attempts delivery={delivery} />
        {nextMs !== null && (
          <p className="text-muted">
            {t('next')}: <When ms={nextMs} />
          </p>
        )}
        {repeats !== null && (
          <p className="text-muted">
            {t('repeats')} <code className="font-mono text-xs break-all">{repeats}</code>
          </p>
        )}
        <CodeBlock isWrapped label={t('body')} text={prettyJson(delivery.body)} />
      </div>
    </Card>
  );
}

function Attempts({ delivery }: { readonly delivery: Delivery }) {
  const t = useTexts(webhookTexts);
  const locale = useLocale();
  return (
    <ol aria-label={t('attempts')} className="flex flex-col gap-2">
      {delivery.attempts.map((attempt) => {
        const { http_status: http, response_bytes: bytes, error: failure } = attempt;
        const isGood = http !== null && http >= 200 && http < 300;
        return (
          <li
            key={attempt.attempt}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-md bg-page px-3 py-2"
          >
            <span className="flex items-center gap-2">
              <span className="text-muted">
                {t('attempt')} {attempt.attempt}
              </span>
              <Badge tone={isGood ? 'gain' : 'loss'}>
                {http === null
                  ? wordOf(t, webhookTexts, failure ?? '')
                  : t('answered', { status: String(http), bytes: bytes ?? 0 })}
              </Badge>
            </span>
            <span className="text-xs text-muted">
              {clockTime(locale, attempt.started_at_ms)} ·{' '}
              {latency(locale, attempt.latency_ms * 1_000)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
