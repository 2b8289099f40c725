// Asks who is at the page once more, for a call that needs to know; the call goes on by itself afterwards.
import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNote } from '../components/error-note.tsx';
import { Field } from '../components/field.tsx';
import { askForPasskey, hasPasskeys, isChangeOfMind } from '../session/passkeys.ts';
import type { AskedProof } from '../session/step-up.ts';
import { useClient } from '../session/use-session.ts';
import { useTexts } from '../texts/use-texts.ts';
import { CodeField, proofOf } from './code-field.tsx';
import { securityTexts } from './security-texts.ts';

export function StepUpDialog({ asked }: { readonly asked: AskedProof }) {
  const t = useTexts(securityTexts);
  const client = useClient();
  const [text, setText] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { factors } = asked;
  const byPassword = factors.includes('password');
  const byCode = factors.includes('totp') || factors.includes('recovery_code');
  const prove = async (send: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await send();
      asked.given();
    } catch (fault) {
      if (!isChangeOfMind(fault)) setError(fault);
      setBusy(false);
    }
  };
  const send = (event: FormEvent): Promise<void> => {
    event.preventDefault();
    return prove(() => client.sessions.stepUp(byPassword ? { password: text } : proofOf(text)));
  };
  return (
    <Dialog title={t('stepUp')} isOpen onClose={asked.refused}>
      <form className="flex flex-col gap-3" onSubmit={send}>
        <p className="text-muted">{t('stepUpText')}</p>
        {byPassword && (
          <Field
            label={t('password')}
            type="password"
            autoComplete="current-password"
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        {byCode && <CodeField value={text} onChange={setText} />}
        {error !== null && <ErrorNote error={error} />}
        {(byPassword || byCode) && (
          <Button kind="primary" size="large" type="submit" isWide isBusy={isBusy}>
            {t('goOn')}
          </Button>
        )}
        {factors.includes('passkey') && hasPasskeys() && (
          <Button
            isWide
            onClick={() =>
              prove(async () => client.sessions.stepUp({ passkey: await askForPasskey(client) }))
            }
          >
            {t('usePasskey')}
          </Button>
        )}
      </form>
    </Dialog>
  );
}
