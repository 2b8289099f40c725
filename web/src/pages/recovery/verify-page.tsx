// The end of the link that a registration mails. It is pressed on purpose: programs that look at mail open links too.
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useWork } from '../../components/use-work.ts';
import { visitor } from '../../session/session-store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { LinkFault, linkToken } from './link-fault.tsx';
import { recoveryTexts } from './texts.ts';

export function Page() {
  const t = useTexts(recoveryTexts);
  const [isDone, setDone] = useState(false);
  const { isBusy, error, run } = useWork();
  const confirm = (): Promise<void> =>
    run(async () => {
      await visitor.email.confirm({ token: linkToken() });
      setDone(true);
    });
  return (
    <div className="mx-auto flex max-w-md flex-col gap-4">
      <h1 className="text-lg font-semibold">{t('verifyTitle')}</h1>
      <Card>
        <div className="flex flex-col gap-3">
          {isDone ? (
            <>
              <p role="status" className="rounded-md bg-gain-soft p-3 text-gain">
                {t('verified')}
              </p>
              <PageLink to="/account" className="text-accent">
                {t('toAccount')}
              </PageLink>
            </>
          ) : (
            <>
              <p className="text-muted">{t('verifyText')}</p>
              {error !== null && <LinkFault error={error} />}
              <Button kind="primary" size="large" isWide isBusy={isBusy} onClick={confirm}>
                {t('verify')}
              </Button>
            </>
          )}
        </div>
      </Card>
    </div>
  );
}
