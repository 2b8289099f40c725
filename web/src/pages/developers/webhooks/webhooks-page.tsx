// Endpoints that are told of events.
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { AccountNeeded } from '../account-needed.tsx';
import { DevelopersLayout } from '../layout.tsx';
import { noteRate } from '../rates.ts';
import { NewSecret } from './new-secret.tsx';
import { webhookTexts } from './texts.ts';
import { useWebhooks } from './use-webhooks.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookTable } from './webhook-table.tsx';

export function Page() {
  return (
    <AccountNeeded texts={webhookTexts}>
      <Webhooks />
    </AccountNeeded>
  );
}

function Webhooks() {
  const t = useTexts(webhookTexts);
  const client = useClient();
  const webhooks = useWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <DevelopersLayout title={t('title')} aside={isAdding ? undefined : add}>
      {secret !== null && <NewSecret secret={secret} onStored={() => setSecret(null)} />}
      {isAdding && (
        <Card title={t('add')}>
          <WebhookForm
            action={t('add')}
            onCancel={() => setAdding(false)}
            onSend={async (body) => {
              const made = await client.webhooks.create(body, { onAnswer: noteRate });
              setSecret(made.secret);
              setAdding(false);
              await webhooks.reload();
            }}
          />
        </Card>
      )}
      <Card isFlush title={t('endpoints')}>
        <WebhookTable webhooks={webhooks} />
      </Card>
    </DevelopersLayout>
  );
}
