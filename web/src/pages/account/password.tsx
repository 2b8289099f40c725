// A new password, and before it what that ends.
import { type ComponentProps, type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { PausedWebhooks } from '../../components/paused-webhooks.tsx';
import { useWork } from '../../components/use-work.ts';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { accountTexts } from './texts.ts';

export function Password() {
  const t = useTexts(accountTexts);
  const client = useClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [done, setDone] = useState<string | null>(null);
  const [paused, setPaused] = useState<ComponentProps<typeof PausedWebhooks>['webhooks']>([]);
  const { isBusy, error, run } = useWork();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setDone(null);
    setPaused([]);
    await run(async () => {
      const ended = await client.sessions.changePassword({
        current_password: current,
        new_password: next,
      });
      setCurrent('');
      setNext('');
      setPaused(ended.webhooks_paused);
      setDone(t('changed', { sessions: ended.sessions_ended, keys: ended.keys_revoked }));
    });
  };
  return (
    <Card title={t('password')}>
      <form onSubmit={send} className="flex flex-col gap-3">
        <p className="text-muted">{t('passwordText')}</p>
        <Field
          label={t('currentPassword')}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <Field
          label={t('newPassword')}
          type="password"
          autoComplete="new-password"
          required
          hint={t('newPasswordHint')}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        {error !== null && <ErrorNote error={error} />}
        {done !== null && (
          <p role="status" className="rounded-md bg-gain-soft p-3 text-gain">
            {done}
          </p>
        )}
        <PausedWebhooks webhooks={paused} />
        <span>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('changePassword')}
          </Button>
        </span>
      </form>
    </Card>
  );
}
