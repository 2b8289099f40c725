// Where events are sent, and which.
import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Field } from '../../../components/field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { developerTexts } from '../texts.ts';
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
  const shared = useTexts(developerTexts);
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(webhook?.event_types ?? USUAL));
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const refusal = url.trim() === '' ? t('typeUrl') : chosen.size === 0 ? t('chooseEvent') : null;

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await onSend({ url: url.trim(), description, event_types: [...chosen] });
    } catch (fault) {
      setError(fault);
      setBusy(false);
    }
  };

  return (
    <form className="flex flex-col gap-4" onSubmit={send}>
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
      {error !== null && <ErrorNote error={error} />}
      <div className="flex flex-wrap items-start gap-2">
        <Button kind="primary" type="submit" isBusy={isBusy} refusal={refusal}>
          {action}
        </Button>
        <Button onClick={onCancel}>{shared('cancel')}</Button>
      </div>
    </form>
  );
}
