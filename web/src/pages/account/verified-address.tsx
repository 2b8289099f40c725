// Whether the address of mail was shown to be the user's, and the link once more.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { dateTime } from '../../format/times.ts';
import { useClient, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { leavingTexts } from './leaving-texts.ts';

export function VerifiedAddress() {
  const t = useTexts(leavingTexts);
  const locale = useLocale();
  const client = useClient();
  const who = useWho();
  const [fault, setFault] = useState<unknown>(null);
  const [isSent, setSent] = useState(false);
  const { data } = useQuery({ queryKey: ['profile', who], queryFn: () => client.profile.get() });
  if (data === undefined) return null;
  const verifiedMs = data.email_verified_at_ms;
  const send = async (): Promise<void> => {
    setFault(null);
    try {
      await client.email.sendVerification();
      setSent(true);
    } catch (refusal) {
      setFault(refusal);
    }
  };
  return (
    <Card title={t('address')}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className={verifiedMs === null ? 'text-warn' : 'text-gain'}>
            {verifiedMs === null
              ? t('notVerified')
              : t('verifiedSince', { when: dateTime(locale, verifiedMs) })}
          </span>
          {verifiedMs === null && data.links_mailed && (
            <Button onClick={send}>{t('sendAgain')}</Button>
          )}
        </div>
        {isSent && (
          <p role="status" className="text-gain">
            {t('sent')}
          </p>
        )}
        {verifiedMs === null && !data.links_mailed && <p>{t('noMail')}</p>}
        {fault !== null && <ErrorNote error={fault} />}
      </div>
    </Card>
  );
}
