// Authenticator, recovery codes and passkeys: what is there, and how it is added and removed.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { factorTexts } from '../../components/factor-texts.ts';
import { RecoveryCodes } from '../../components/recovery-codes.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Seed, TotpSetup } from '../../components/totp-setup.tsx';
import { useWork } from '../../components/use-work.ts';
import { dateTime } from '../../format/times.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { PasskeyList } from './passkey-list.tsx';
import { ownSecurityTexts } from './security-texts.ts';

export function SecondFactor() {
  const t = useTexts(ownSecurityTexts);
  const shared = useTexts(factorTexts);
  const locale = useLocale();
  const client = useClient();
  const who = useWho();
  const [seed, setSeed] = useState<Seed | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { error: fault, run } = useWork();
  const { data, error, refetch } = useQuery({
    queryKey: ['factors', who],
    queryFn: () => client.factors.list(),
  });
  const act = (work: () => Promise<unknown>): Promise<void> =>
    run(() => work().then(() => refetch()));
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <Skeleton className="h-40 w-full" />;
  const { totp, withdrawals_held_until_at_ms: heldMs } = data;
  return (
    <Card title={t('secondFactor')}>
      <div className="flex flex-col gap-4">
        {data.step_up.includes('password') && <p className="text-warn">{t('noFactor')}</p>}
        {heldMs !== null && <p>{t('held', { until: dateTime(locale, heldMs) })}</p>}
        {codes.length > 0 && <RecoveryCodes codes={codes} onStored={() => setCodes([])} />}
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span>
            {t('authenticator')}:{' '}
            {totp === null
              ? t('off')
              : t('since', { when: dateTime(locale, totp.confirmed_at_ms) })}
          </span>
          {totp === null ? (
            <Button onClick={() => act(async () => setSeed(await client.factors.enrolTotp()))}>
              {t('setUp')}
            </Button>
          ) : (
            <Button onClick={() => act(() => client.factors.removeTotp())}>{t('remove')}</Button>
          )}
        </div>
        {seed !== null && totp === null && (
          <TotpSetup
            seed={seed}
            confirm={async (otp) => (await client.factors.confirmTotp({ otp })).recovery_codes}
            onConfirmed={(shown) => {
              setSeed(null);
              setCodes(shown);
              void refetch();
            }}
          />
        )}
        {!data.step_up.includes('password') && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span>
              {shared('recovery')}: {t('recoveryLeft', { count: data.recovery_codes_left })}
            </span>
            <Button
              onClick={() =>
                act(async () =>
                  setCodes((await client.factors.renewRecoveryCodes()).recovery_codes),
                )
              }
            >
              {t('renew')}
            </Button>
          </div>
        )}
        <PasskeyList passkeys={data.passkeys} onCodes={setCodes} act={act} />
        {fault !== null && <ErrorNote error={fault} />}
      </div>
    </Card>
  );
}
