// Apps that act for others: registered here, reviewed by the exchange.
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { AccountNeeded } from '../account-needed.tsx';
import { DevelopersLayout } from '../layout.tsx';
import { noteRate } from '../rates.ts';
import { ShownOnce } from '../shown-once.tsx';
import { useApps } from '../use-apps.ts';
import { useBuilder } from '../use-builder.ts';
import { AppCard } from './app-card.tsx';
import { AppForm } from './app-form.tsx';
import { appTexts } from './texts.ts';

export function Page() {
  return (
    <AccountNeeded texts={appTexts}>
      <Apps />
    </AccountNeeded>
  );
}

function Apps() {
  const t = useTexts(appTexts);
  const client = useClient();
  const builder = useBuilder();
  const { rows, error, reload } = useApps();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const isKnown = builder.data !== undefined && builder.data.profile !== null;
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <DevelopersLayout title={t('title')} aside={isKnown && !isAdding ? add : undefined}>
      {error !== null && <ErrorNote error={error} onRetry={() => reload()} />}
      {secret !== null && <NewSecret secret={secret} onStored={() => setSecret(null)} />}
      {builder.data !== undefined && !isKnown && <AgreementFirst />}
      {isAdding && (
        <Card title={t('add')}>
          <AppForm
            action={t('register')}
            onCancel={() => setAdding(false)}
            onSend={async ({ client_type = 'confidential', ...input }) => {
              const wanted = { ...input, client_type };
              const made = await client.apps.create(wanted, { onAnswer: noteRate });
              setSecret(made.client_secret);
              setAdding(false);
              await reload();
            }}
          />
        </Card>
      )}
      {rows === null && error === null && <Skeleton className="h-64 w-full" />}
      {isKnown && rows?.length === 0 && !isAdding && (
        <Empty title={t('none')} action={add}>
          {t('noneText')}
        </Empty>
      )}
      {rows?.map((app) => (
        <AppCard
          key={app.app_id}
          app={app}
          mayDo={builder.data?.is_approved === true ? 'submit' : 'draft'}
          onChanged={reload}
          onSecret={setSecret}
        />
      ))}
    </DevelopersLayout>
  );
}

/** Who has not applied yet has agreed to nothing. */
function AgreementFirst() {
  const t = useTexts(appTexts);
  const link = 'text-accent underline underline-offset-2';
  return (
    <Empty
      title={t('agreeFirst')}
      action={
        <PageLink to="/developers/builder" className={link}>
          {t('toBuilder')}
        </PageLink>
      }
    >
      {t('agreeFirstText')}
    </Empty>
  );
}

interface SecretProps {
  readonly secret: string;
  readonly onStored: () => void;
}

function NewSecret({ secret, onStored }: SecretProps) {
  const t = useTexts(appTexts);
  return (
    <ShownOnce
      title={t('secretTitle')}
      secrets={[{ name: 'client_secret', value: secret }]}
      onStored={onStored}
    >
      <p className="text-muted">{t('secretHint')}</p>
    </ShownOnce>
  );
}
