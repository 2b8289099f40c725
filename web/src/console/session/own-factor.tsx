// The second factor of whoever is signed in: an authenticator, set up with a picture, and its recovery codes.
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { RecoveryCodes } from '../../components/recovery-codes.tsx';
import { type Seed, TotpSetup } from '../../components/totp-setup.tsx';
import { useWork } from '../../components/use-work.ts';
import { dateTime } from '../../format/times.ts';
import { call } from '../plane.ts';
import { useAsk } from '../use-ask.ts';
import { readIdentity, useIdentity } from './use-session.ts';

export function OwnFactor() {
  const { data, error, refetch } = useAsk('getOperatorFactor', {});
  const [seed, setSeed] = useState<Seed | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { error: fault, run } = useWork();
  const act = (work: () => Promise<unknown>): Promise<void> =>
    run(() => work().then(() => refetch()));
  const confirm = async (otp: string): Promise<readonly string[]> =>
    (await call('confirmOperatorTotp', { body: { otp } })).recovery_codes;
  const renew = async (): Promise<void> =>
    setCodes((await call('renewOperatorRecoveryCodes', {})).recovery_codes);
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  const { totp, recovery_codes_left: left } = data;
  return (
    <Card title="Second factor">
      <div className="flex flex-col gap-4">
        <Notes hasFactor={totp !== null} />
        {codes.length > 0 && (
          <RecoveryCodes
            codes={codes}
            onStored={() => {
              setCodes([]);
              void act(readIdentity);
            }}
          />
        )}
        <Line
          text={
            totp === null
              ? 'Authenticator app: none'
              : `Authenticator app: since ${dateTime('en', totp.confirmed_at_ms)}`
          }
          label={totp === null ? 'Set up' : 'Remove'}
          onClick={() =>
            act(async () => {
              if (totp === null) {
                setSeed(await call('enrolOperatorTotp', {}));
                return;
              }
              await call('removeOperatorTotp', {});
              await readIdentity();
            })
          }
        />
        {seed !== null && totp === null && (
          <TotpSetup
            seed={seed}
            confirm={confirm}
            onConfirmed={(shown) => {
              setSeed(null);
              setCodes(shown);
              void refetch();
            }}
          />
        )}
        {totp !== null && (
          <Line
            text={`Recovery codes: ${left} left`}
            label="Make new ones"
            onClick={() => act(renew)}
          />
        )}
        {fault !== null && <ErrorNote error={fault} />}
      </div>
    </Card>
  );
}

function Notes({ hasFactor }: { readonly hasFactor: boolean }) {
  const { must_enrol: mustEnrol, factor_reset_at_ms: resetAtMs } = useIdentity();
  if (hasFactor) return null;
  return (
    <>
      {resetAtMs !== null && (
        <p role="alert" className="rounded-md bg-warn-soft p-3 text-warn">
          Your second factor was removed on {dateTime('en', resetAtMs)} by another operator. If you
          did not ask for that, tell an admin and change your password. The audit log says who did
          it and why.
        </p>
      )}
      <p className="text-warn">
        {mustEnrol
          ? 'This exchange requires a second factor. Set one up to open the console.'
          : 'Your account is protected by a password only. Set up an authenticator app.'}
      </p>
    </>
  );
}

interface LineProps {
  readonly text: string;
  readonly label: string;
  readonly onClick: () => void;
}

function Line({ text, label, onClick }: LineProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <span>{text}</span>
      <Button onClick={onClick}>{label}</Button>
    </div>
  );
}
