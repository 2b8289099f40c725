// A secret, as long as nobody has said that it is stored. It stands in the page and not in a window that a key can close.
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { developerTexts } from './texts.ts';

interface Props {
  readonly title: string;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  readonly onStored: () => void;
  /** What to do with it. */
  readonly children?: ReactNode;
}

export function ShownOnce({ title, secrets, onStored, children }: Props) {
  const t = useTexts(developerTexts);
  return (
    <section className="flex min-w-0 flex-col gap-3 rounded-lg border-2 border-warn bg-surface p-4">
      <h2 className="font-semibold">{title}</h2>
      <p className="flex items-start gap-2 font-semibold text-warn">
        <span className="mt-0.5">
          <Icon name="warn" />
        </span>
        {t('shownOnce')}
      </p>
      <dl className="flex flex-col gap-2">
        {secrets.map(({ name, value }) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="flex items-center justify-between gap-2 rounded-md bg-page px-3 py-1.5">
              <code className="min-w-0 font-mono text-xs break-all">{value}</code>
              <CopyButton text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {children}
      <div>
        <Button kind="primary" onClick={onStored}>
          {t('stored')}
        </Button>
      </div>
    </section>
  );
}
