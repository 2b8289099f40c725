// One endpoint: its settings, what can be done with it, and its deliveries.
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { SignInFirst } from '../../../frame/sign-in-first.tsx';
import { useClient, useSession } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { DevelopersLayout } from '../layout.tsx';
import { noteRate } from '../rates.ts';
import { Deliveries } from './deliveries.tsx';
import { SendPanel } from './send-panel.tsx';
import { webhookTexts } from './texts.ts';
import { useWebhooks, type Webhook } from './use-webhooks.ts';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function Page() {
  const t = useTexts(webhookTexts);
  const { webhookId } = useParams({ strict: false });
  const { status } = useSession();
  // An account has few webhooks, and the interface gives them as a list only.
  const { rows, error, reload } = useWebhooks();
  const webhook = rows?.find((one) => one.webhook_id === webhookId);
  return (
    <DevelopersLayout
      title={<span className="font-mono text-base break-all">{webhook?.url ?? webhookId}</span>}
      aside={
        <PageLink
          to="/developers/webhooks"
          isExact
          className="text-accent underline underline-offset-2"
        >
          {t('back')}
        </PageLink>
      }
    >
      {status !== 'signed_in' && <SignInFirst title={t('need')} text={t('needText')} />}
      {error !== null && <ErrorNote error={error} onRetry={() => reload()} />}
      {status === 'signed_in' && error === null && rows === null && (
        <Skeleton className="h-96 w-full" />
      )}
      {rows !== null && webhook === undefined && <Empty title={t('gone404')} />}
      {webhook !== undefined && <Whole webhook={webhook} onChanged={reload} />}
    </DevelopersLayout>
  );
}

interface WholeProps {
  readonly webhook: Webhook;
  readonly onChanged: () => Promise<unknown>;
}

function Whole({ webhook, onChanged }: WholeProps) {
  const t = useTexts(webhookTexts);
  const client = useClient();
  const [isEditing, setEditing] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {isEditing ? (
        <Card title={t('editTitle')}>
          <WebhookForm
            webhook={webhook}
            action={t('save')}
            onCancel={() => setEditing(false)}
            onSend={async (change) => {
              await client.webhooks.update(webhook.webhook_id, change, { onAnswer: noteRate });
              await onChanged();
              setEditing(false);
            }}
          />
        </Card>
      ) : (
        <WebhookFacts webhook={webhook} onEdit={() => setEditing(true)} onChanged={onChanged} />
      )}
      <SendPanel webhook={webhook} />
      <Deliveries webhook={webhook} />
    </div>
  );
}
