// One app: how far its review is, and what its owner can do with it.
import { useState } from 'react';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Confirm } from '../../../components/confirm.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Figure } from '../../../components/figure.tsx';
import { useClient } from '../../../session/use-session.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { noteRate } from '../rates.ts';
import { RotateSecret, SecretOverlap } from '../rotate-secret.tsx';
import type { App } from '../use-apps.ts';
import { wordOf } from '../word-of.ts';
import { AppForm } from './app-form.tsx';
import { appTexts } from './texts.ts';
import { Widget } from './widget.tsx';

interface Props {
  readonly app: App;
  /** Only an approved builder submits. */
  readonly mayDo: 'draft' | 'submit';
  readonly onChanged: () => Promise<unknown>;
  readonly onSecret: (secret: string | null) => void;
}

type Action = 'submit' | 'withdraw' | 'disable';

const TONES: Readonly<Record<string, Tone>> = {
  in_review: 'warn',
  approved: 'gain',
  disabled: 'loss',
};

export function AppCard({ app, mayDo, onChanged, onSecret }: Props) {
  const t = useTexts(appTexts);
  const client = useClient();
  const [isEditing, setEditing] = useState(false);
  const [isDisabling, setDisabling] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { app_id: id, status } = app;

  const act = async (action: Action): Promise<void> => {
    await client.apps.update(id, { action }, { onAnswer: noteRate });
    await onChanged();
  };
  const ask = (action: Action): void => {
    setError(null);
    act(action).catch(setError);
  };

  if (isEditing) {
    return (
      <Card title={app.name}>
        <AppForm
          app={app}
          action={t('save')}
          onCancel={() => setEditing(false)}
          onSend={async (change) => {
            await client.apps.update(id, change, { onAnswer: noteRate });
            await onChanged();
            setEditing(false);
          }}
        />
      </Card>
    );
  }
  return (
    <Card
      title={app.name}
      aside={<Badge tone={TONES[status] ?? 'neutral'}>{wordOf(t, appTexts, status)}</Badge>}
    >
      <div className="flex flex-col gap-4">
        <AppFacts app={app} />
        <div className="flex flex-wrap items-start gap-2">
          {(status === 'draft' || status === 'approved') && (
            <Button onClick={() => setEditing(true)}>{t('edit')}</Button>
          )}
          {status === 'draft' && (
            <Button
              kind="primary"
              refusal={mayDo === 'submit' ? null : t('builderFirst')}
              onClick={() => ask('submit')}
            >
              {t('submit')}
            </Button>
          )}
          {status === 'in_review' && (
            <Button onClick={() => ask('withdraw')}>{t('withdraw')}</Button>
          )}
          {hasSecret(app) && (
            <RotateSecret
              texts={appTexts}
              oldEndsMs={app.old_secret_expires_at_ms}
              onRotate={async () => {
                const rotated = await client.apps.rotateSecret(id, { onAnswer: noteRate });
                onSecret(rotated.client_secret);
                await onChanged();
              }}
            />
          )}
          {status !== 'disabled' && (
            <Button onClick={() => setDisabling(true)}>{t('disable')}</Button>
          )}
        </div>
        {error !== null && <ErrorNote error={error} />}
        <Widget app={app} />
      </div>
      {isDisabling && (
        <Confirm
          title={t('disableTitle', { name: app.name })}
          action={t('disable')}
          onClose={() => setDisabling(false)}
          onConfirm={() => act('disable')}
        >
          <p>{t('disableText')}</p>
        </Confirm>
      )}
    </Card>
  );
}

function AppFacts({ app }: { readonly app: App }) {
  const t = useTexts(appTexts);
  const { old_secret_expires_at_ms: oldEndsMs, review_note: note } = app;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure label="client_id">
          <code className="font-mono text-xs break-all">{app.client_id}</code>
        </Figure>
        <Figure label={t('verified')}>{app.verified_name ?? t('notYet')}</Figure>
        <Figure label={t('fee')}>
          {app.builder_fee_bps} / {app.fee_cap_bps} {t('bps')}
        </Figure>
        <Figure label={t('kind')}>{wordOf(t, appTexts, app.client_type)}</Figure>
      </dl>
      <p className="font-mono text-xs break-all text-muted">{app.redirect_uris.join(' ')}</p>
      <p className="font-mono text-xs text-muted">{app.allowed_scopes.join(', ')}</p>
      {note !== null && <p className="text-warn">{t('reviewer', { note })}</p>}
      {app.status === 'draft' && <p className="text-muted">{t('draftText')}</p>}
      {app.status === 'disabled' && <p className="text-loss">{t('disabledText')}</p>}
      <SecretOverlap texts={appTexts} oldEndsMs={oldEndsMs} />
    </div>
  );
}

/** One that can be exchanged now. */
function hasSecret({ client_type: kind, status }: App): boolean {
  return kind !== 'public' && status !== 'in_review' && status !== 'disabled';
}
