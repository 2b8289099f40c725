// Where money is play money: more of it, and a new beginning.
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { FaucetButton } from '../../sandbox/faucet-button.tsx';
import { ResetButton } from '../../sandbox/reset-button.tsx';
import { sandboxTexts } from '../../sandbox/texts.ts';
import { useTexts } from '../../texts/use-texts.ts';

export function SandboxTools() {
  const t = useTexts(sandboxTexts);
  // A reset frees the faucet: its button forgets the countdown.
  const [resets, setResets] = useState(0);
  return (
    <Card title={t('sandboxTools')}>
      <div className="flex flex-col items-start gap-2">
        <p className="text-muted">{t('faucetText')}</p>
        <FaucetButton key={resets} />
        <hr className="my-2 w-full border-line" />
        <p className="text-muted">{t('resetText')}</p>
        <ResetButton onReset={() => setResets(resets + 1)} />
      </div>
    </Card>
  );
}
