// Where the console begins for whoever is not signed in.
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Field } from '../../components/field.tsx';
import { CodeField, proofOf } from '../../frame/code-field.tsx';
import { factorsOf } from '../../session/step-up.ts';
import type { EndedSession } from './session-store.ts';
import { signIn } from './use-session.ts';

export function SignInPage({ ended }: { readonly ended: EndedSession | null }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksForCode, setAsksForCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    signIn(name.trim(), password, asksForCode ? proofOf(code) : null).catch((fault: unknown) => {
      const isNeeded = factorsOf(fault).length > 0;
      // Asked for a code for the first time, one has made no mistake yet.
      if (asksForCode || !isNeeded) setError(fault);
      if (!isNeeded) setPassword('');
      setCode('');
      setAsksForCode(isNeeded);
      setBusy(false);
    });
  };
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-4 px-4 py-10">
      <h1 className="flex items-center gap-2 text-lg font-semibold">
        <img src="/icon.svg" alt="" width="28" height="28" />
        Sibyl console
      </h1>
      <Card>
        <form className="flex flex-col gap-4" onSubmit={submit}>
          {ended !== null && (
            <p role="status" className="rounded-md bg-warn-soft p-3 text-warn">
              Your session is over. {ended.why} Sign in again to go on.
            </p>
          )}
          <Field
            label="Name"
            name="username"
            autoComplete="username"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Field
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          {asksForCode && <CodeField value={code} onChange={setCode} />}
          {error !== null && <ErrorNote error={error} />}
          <Button kind="primary" type="submit" isWide isBusy={isBusy}>
            Sign in
          </Button>
        </form>
      </Card>
      <p className="text-xs text-muted">
        For those who run this exchange. The first start showed the first password once; a lost one
        is set anew on the stopped server by <code>sibyl operator reset</code>, a lost second factor
        removed by <code>sibyl operator reset-factor</code>.
      </p>
    </main>
  );
}
