// The state of an endpoint, and what its owner can do with it.
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Confirm } from '../../../components/confirm.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { useGo } from '../../../frame/use-go.ts';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import { RotateSecret, SecretOverlap } from '../rotate-secret.tsx';
import { developerTexts } from '../texts.ts';
import { When } from '../when.tsx';
import { NewSecret } from './new-secret.tsx';
import { webhookTexts } from './texts.ts';
import type { Webhook } from './use-webhooks.ts';
import { WebhookBadge } from './webhook-badge.tsx';

interface Props {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onChanged: () => Promise<unknown>;
}

export function WebhookFacts({ webhook, onEdit, onChanged }: Props) {
  const t = useTexts(webhookTexts);
  const client = useClient();
  const go = useGo();
  const [isRemoving, setRemoving] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { webhook_id: id, status, old_secret_expires_at_ms: oldEndsMs } = webhook;

  const change = async (next: 'active' | 'paused'): Promise<void> => {
    setError(null);
    try {
      await client.webhooks.update(id, { status: next }, { onAnswer: noteRate });
      await onChanged();
    } catch (fault) {
      setError(fault);
    }
  };

  return (
    <>
      {secret !== null && (
        <NewSecret secret={secret} onStored={() => setSecret(null)}>
          <SecretOverlap texts={webhookTexts} oldEndsMs={oldEndsMs} />
        </NewSecret>
      )}
      <Card>
        <div className="flex flex-col gap-4">
          <WebhookState webhook={webhook} />
          <div className="flex flex-wrap items-start gap-2">
            <Button onClick={onEdit}>{t('edit')}</Button>
            {status === 'active' ? (
              <Button onClick={() => change('paused')}>{t('pause')}</Button>
            ) : (
              <Button kind="primary" onClick={() => change('active')}>
                {t('activate')}
              </Button>
            )}
            <RotateSecret
              texts={webhookTexts}
              oldEndsMs={oldEndsMs}
              onRotate={async () => {
                const rotated = await client.webhooks.rotateSecret(id, { onAnswer: noteRate });
                setSecret(rotated.secret);
                await onChanged();
              }}
            />
            <Button onClick={() => setRemoving(true)}>{t('remove')}</Button>
          </div>
          {error !== null && <ErrorNote error={error} />}
        </div>
      </Card>
      {isRemoving && (
        <Confirm
          title={t('removeTitle')}
          action={t('remove')}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await client.webhooks.remove(id, { onAnswer: noteRate });
            await onChanged();
            go('/developers/webhooks');
          }}
        >
          <code className="font-mono text-xs break-all">{webhook.url}</code>
          <p>{t('removeText')}</p>
        </Confirm>
      )}
    </>
  );
}

function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const shared = useTexts(developerTexts);
  const {
    disabled_reason: reason,
    failure_streak: failures,
    last_delivery_at_ms: lastMs,
  } = webhook;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure label={t('state')}>
          <WebhookBadge status={webhook.status} />
        </Figure>
        <Figure label={t('lastDelivery')}>
          {lastMs === null ? shared('never') : <When ms={lastMs} />}
        </Figure>
        <Figure label={t('events')}>{webhook.event_types.length}</Figure>
        {webhook.created_by !== null && (
          <Figure label={t('createdBy')}>
            <code className="font-mono text-xs">{webhook.created_by}</code>
          </Figure>
        )}
        {webhook.changed_by !== null && (
          <Figure label={t('changedBy')}>
            <code className="font-mono text-xs">{webhook.changed_by}</code>
          </Figure>
        )}
        {webhook.description !== '' && (
          <Figure label={t('description')}>
            <bdi>{webhook.description}</bdi>
          </Figure>
        )}
      </dl>
      <p className="font-mono text-xs text-muted">{webhook.event_types.join(', ')}</p>
      {reason !== null && <p className="text-loss">{t(reasonText(reason))}</p>}
      {failures > 0 && <p className="text-loss">{t('failures', { count: failures })}</p>}
      <SecretOverlap texts={webhookTexts} oldEndsMs={webhook.old_secret_expires_at_ms} />
    </div>
  );
}

/** A reason of a newer server is shown as the nearest that is known. */
function reasonText(reason: string): 'gone' | 'failing' | 'password_changed' {
  return reason === 'gone' || reason === 'password_changed' ? reason : 'failing';
}
