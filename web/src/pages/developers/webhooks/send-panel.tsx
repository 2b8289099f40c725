// Sends a test, or everything since a time once more.
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Field } from '../../../components/field.tsx';
import { Select } from '../../../components/select.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { eventTypes } from './event-list.ts';
import { webhookTexts } from './texts.ts';
import { useReplay } from './use-replay.ts';
import type { Webhook } from './use-webhooks.ts';

export function SendPanel({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const { replay, error, isBusy } = useReplay(webhook);
  const [type, setType] = useState<string>('webhook.ping');
  const [since, setSince] = useState('');
  const sinceMs = new Date(since).getTime();
  const inactive = webhook.status === 'active' ? null : t('notActive');
  return (
    <Card>
      <div className="grid gap-6 md:grid-cols-2">
        <div className="flex flex-col gap-2">
          <span className="text-xs text-muted">{t('testEvent')}</span>
          <div className="flex flex-wrap items-start gap-2">
            <Select
              label={t('testEvent')}
              value={type}
              choices={eventTypes.map((value) => ({ value, label: value }))}
              onChoose={setType}
            />
            <Button
              kind="primary"
              isBusy={isBusy}
              refusal={inactive}
              onClick={() => replay({ event_type: type })}
            >
              {t('test')}
            </Button>
          </div>
          <p className="text-xs text-muted">{t('testHint')}</p>
        </div>
        <div className="flex flex-wrap items-end gap-2 self-start">
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label={t('recoverSince')}
              type="datetime-local"
              hint={t('recoverHint')}
              value={since}
              onChange={(event) => setSince(event.target.value)}
            />
          </div>
          <div className="self-start pt-5">
            <Button
              isBusy={isBusy}
              refusal={inactive ?? (Number.isNaN(sinceMs) ? t('chooseTime') : null)}
              onClick={() => replay({ since_ms: sinceMs })}
            >
              {t('recover')}
            </Button>
          </div>
        </div>
      </div>
      {error !== null && (
        <div className="mt-3">
          <ErrorNote error={error} />
        </div>
      )}
    </Card>
  );
}
