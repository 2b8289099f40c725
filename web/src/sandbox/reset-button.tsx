// A new beginning with play money, behind one more press.
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Confirm } from '../components/confirm.tsx';
import { useNote } from '../components/toasts.tsx';
import { sessionStore } from '../session/session-store.ts';
import { useTexts } from '../texts/use-texts.ts';
import { sandboxTexts } from './texts.ts';

interface Props {
  readonly size?: 'small' | 'medium';
  readonly onReset: () => void;
}

export function ResetButton({ size = 'medium', onReset }: Props) {
  const t = useTexts(sandboxTexts);
  const note = useNote();
  const [isAsking, setAsking] = useState(false);
  const reset = async (): Promise<void> => {
    const client = await sessionStore.beSomebody();
    const { orders_cancelled: orders, positions_cleared: positions } = await client.sandbox.reset();
    onReset();
    note(t('resetDone', { orders, positions }));
  };
  return (
    <>
      <Button size={size} onClick={() => setAsking(true)}>
        {t('reset')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('resetTitle')}
          action={t('resetNow')}
          onConfirm={reset}
          onClose={() => setAsking(false)}
        >
          <p>{t('resetWarning')}</p>
        </Confirm>
      )}
    </>
  );
}
