// Where events are sent, and which.
import { useState } from 'react';
import { Field } from '../../../components/field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { SendForm } from '../send-form.tsx';
import { EventPicker } from './event-picker.tsx';
import { webhookTexts } from './texts.ts';
import type { Webhook } from './use-webhooks.ts';

interface WebhookInput {
  readonly url: string;
  readonly description: string;
  readonly event_types: string[];
}

interface Props {
  /** What is there already. */
  readonly webhook?: Webhook;
  readonly action: string;
  readonly onSend: (input: WebhookInput) => Promise<void>;
  readonly onCancel: () => void;
}

const USUAL = ['order.filled', 'trade.executed', 'position.settled'];

export function WebhookForm({ webhook, action, onSend, onCancel }: Props) {
  const t = useTexts(webhookTexts);
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(webhook?.event_types ?? USUAL));
  const refusal = url.trim() === '' ? t('typeUrl') : chosen.size === 0 ? t('chooseEvent') : null;

  return (
    <SendForm
      action={action}
      refusal={refusal}
      onSend={() => onSend({ url: url.trim(), description, event_types: [...chosen] })}
      onCancel={onCancel}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <Field
          label={t('url')}
          hint={t('urlHint')}
          type="url"
          inputMode="url"
          placeholder="https://example.com/hooks"
          maxLength={2_048}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Field
          label={t('description')}
          maxLength={128}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </div>
      <EventPicker chosen={chosen} onChoose={setChosen} />
    </SendForm>
  );
}
