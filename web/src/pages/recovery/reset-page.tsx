// The end of the link that sets a new password; a second factor is asked for where there is one.
import { type ComponentProps, type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { PausedWebhooks } from '../../components/paused-webhooks.tsx';
import { CodeField, proofOf } from '../../frame/code-field.tsx';
import { openOverlay } from '../../frame/overlay.ts';
import { askForPasskey, hasPasskeys, isChangeOfMind } from '../../session/passkeys.ts';
import { visitor } from '../../session/session-store.ts';
import { factorsOf } from '../../session/step-up.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { LinkFault, linkToken } from './link-fault.tsx';
import { recoveryTexts } from './texts.ts';

type Paused = ComponentProps<typeof PausedWebhooks>['webhooks'];

export function Page() {
  const t = useTexts(recoveryTexts);
  const [paused, setPaused] = useState<Paused | null>(null);
  return (
    <div className="mx-auto flex max-w-md flex-col gap-4">
      <h1 className="text-lg font-semibold">{t('resetTitle')}</h1>
      <Card>
        {paused !== null ? (
          <div className="flex flex-col gap-3">
            <p role="status" className="rounded-md bg-gain-soft p-3 text-gain">
              {t('done')}
            </p>
            <PausedWebhooks webhooks={paused} />
            <Button kind="primary" isWide onClick={() => openOverlay('sign_in')}>
              {t('signIn')}
            </Button>
          </div>
        ) : (
          <NewPassword onDone={setPaused} />
        )}
      </Card>
    </div>
  );
}

function NewPassword({ onDone }: { readonly onDone: (paused: Paused) => void }) {
  const t = useTexts(recoveryTexts);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [factors, setFactors] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const asksForCode = factors.includes('totp') || factors.includes('recovery_code');
  const set = async (prove: () => Promise<object>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const proof = await prove();
      // As nobody: whoever is signed in here need not be the one whose link this is.
      const ended = await visitor.sessions.resetPassword({
        token: linkToken(),
        new_password: password,
        ...proof,
      });
      onDone(ended.webhooks_paused);
    } catch (fault) {
      // Asked for a second factor for the first time, one has made no mistake yet.
      const isFirst = factors.length === 0 && factorsOf(fault).length > 0;
      if (factorsOf(fault).length > 0) setFactors(factorsOf(fault));
      if (!isFirst && !isChangeOfMind(fault)) setError(fault);
      setBusy(false);
    }
  };
  const send = (event: FormEvent): Promise<void> => {
    event.preventDefault();
    return set(async () => (asksForCode ? proofOf(code) : {}));
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={send}>
      <p className="text-muted">{t('resetText')}</p>
      <Field
        label={t('newPassword')}
        type="password"
        autoComplete="new-password"
        required
        hint={t('passwordHint')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {factors.length > 0 && <p>{t('secondFactor')}</p>}
      {asksForCode && <CodeField value={code} onChange={setCode} />}
      {error !== null && <LinkFault error={error} />}
      <Button kind="primary" size="large" type="submit" isWide isBusy={isBusy}>
        {t('set')}
      </Button>
      {factors.includes('passkey') && hasPasskeys() && (
        <Button isWide onClick={() => set(async () => ({ passkey: await askForPasskey(visitor) }))}>
          {t('usePasskey')}
        </Button>
      )}
    </form>
  );
}
