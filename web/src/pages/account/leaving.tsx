// One's own data as a file, and the end of the account.
import { StateConflictError } from '@sibyl/sdk';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Field } from '../../components/field.tsx';
import { useNote } from '../../components/toasts.tsx';
import { sessionStore } from '../../session/session-store.ts';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { leavingTexts } from './leaving-texts.ts';
import { SaveData } from './save-data.tsx';

export function Leaving() {
  const t = useTexts(leavingTexts);
  const [isClosing, setClosing] = useState(false);
  return (
    <Card title={t('yourData')}>
      <div className="flex flex-col gap-3">
        <p className="text-muted">{t('exportText')}</p>
        <SaveData />
        <p className="text-muted">{t('closeText')}</p>
        <span>
          <Button kind="loss" onClick={() => setClosing(true)}>
            {t('close')}
          </Button>
        </span>
        {isClosing && <Closing onClose={() => setClosing(false)} />}
      </div>
    </Card>
  );
}

const OBSTACLES = [
  'open_orders',
  'positions',
  'balance',
  'stakes',
  'claims',
  'frozen',
  'limits',
  'restricted',
  'flagged',
] as const;

function Closing({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(leavingTexts);
  const client = useClient();
  const note = useNote();
  const [password, setPassword] = useState('');
  const explain = (error: unknown): string | null => {
    if (!(error instanceof StateConflictError)) return null;
    const obstacle = OBSTACLES.find((one) => one === error.details.reason);
    return obstacle === undefined ? null : t(obstacle);
  };
  return (
    <Confirm
      title={t('close')}
      action={t('closeForGood')}
      explain={explain}
      onClose={onClose}
      onConfirm={async () => {
        await client.profile.close({ password });
        note(t('closed'));
        sessionStore.forget();
      }}
    >
      <p>{t('closeText')}</p>
      <p className="font-semibold">{t('exportFirst')}</p>
      <SaveData />
      <Field
        label={t('password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </Confirm>
  );
}
