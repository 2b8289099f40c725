// The secret that an endpoint checks signatures with, shown once.
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/use-texts.ts';
import { ShownOnce } from '../shown-once.tsx';
import { webhookTexts } from './texts.ts';

interface Props {
  readonly secret: string;
  readonly onStored: () => void;
  readonly children?: ReactNode;
}

export function NewSecret({ secret, onStored, children }: Props) {
  const t = useTexts(webhookTexts);
  return (
    <ShownOnce
      title={t('secretTitle')}
      secrets={[{ name: t('secretTitle'), value: secret }]}
      onStored={onStored}
    >
      {children}
      <p className="text-muted">{t('secretHint')}</p>
    </ShownOnce>
  );
}
