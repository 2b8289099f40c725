// Asks for the address to which a link is mailed; what is said after it tells nobody whether there is an account.
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ContactLink } from '../../components/contact-link.tsx';
import { Field } from '../../components/field.tsx';
import { useWork } from '../../components/use-work.ts';
import { sendsMail } from '../../help.ts';
import { visitor } from '../../session/session-store.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { LinkFault } from './link-fault.tsx';
import { recoveryTexts } from './texts.ts';

export function Page() {
  const t = useTexts(recoveryTexts);
  return (
    <div className="mx-auto flex max-w-md flex-col gap-4">
      <h1 className="text-lg font-semibold">{t('forgotTitle')}</h1>
      <Card>{sendsMail ? <AskForLink /> : <WithoutMail />}</Card>
    </div>
  );
}

/** Said before anything is typed. */
function WithoutMail() {
  const t = useTexts(recoveryTexts);
  return (
    <div className="flex flex-col gap-3">
      <p>{t('noMail')}</p>
      <ContactLink />
    </div>
  );
}

function AskForLink() {
  const t = useTexts(recoveryTexts);
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { isBusy, error, run } = useWork();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSent(false);
    await run(async () => {
      await visitor.sessions.requestPasswordReset({ email });
      setSent(true);
    });
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={send}>
      <p className="text-muted">{t('forgotText')}</p>
      <Field
        label={t('email')}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {error !== null && <LinkFault error={error} />}
      {isSent && (
        <p role="status" className="rounded-md bg-gain-soft p-3 text-gain">
          {t('sent')}
        </p>
      )}
      <Button kind="primary" size="large" type="submit" isWide isBusy={isBusy}>
        {t('send')}
      </Button>
    </form>
  );
}
