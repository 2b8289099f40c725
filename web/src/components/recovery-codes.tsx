// Recovery codes, as long as nobody has said that they are stored.

import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { factorTexts } from './factor-texts.ts';

interface Props {
  readonly codes: readonly string[];
  readonly onStored: () => void;
}

export function RecoveryCodes({ codes, onStored }: Props) {
  const t = useTexts(factorTexts);
  return (
    <section
      aria-label={t('recovery')}
      className="flex min-w-0 flex-col gap-3 rounded-lg border-2 border-warn p-4"
    >
      <p className="font-semibold text-warn">{t('recoveryText')}</p>
      <ul className="grid grid-cols-2 gap-2 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={codes.join('\n')} />
        <Button kind="primary" onClick={onStored}>
          {t('stored')}
        </Button>
      </div>
    </section>
  );
}
