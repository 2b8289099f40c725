// Every key that does something.
import { Dialog } from '../components/dialog.tsx';
import { Kbd } from '../components/kbd.tsx';
import { navigation } from '../pages/page.ts';
import { translate } from '../texts/texts.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { frameTexts } from './texts.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ShortcutList({ isOpen, onClose }: Props) {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  const rows: readonly (readonly [readonly string[], string])[] = [
    [['Ctrl', 'K'], t('keyCommands')],
    [['/'], t('keySearch')],
    ...navigation
      .filter(({ nav }) => nav?.key !== undefined)
      .map(({ nav, title }) => [['g', nav?.key ?? ''], translate(locale, title)] as const),
    [['b'], t('keyBuy')],
    [['s'], t('keySell')],
    [['Esc'], t('keyClose')],
    [['?'], t('keyHelp')],
  ];
  return (
    <Dialog title={t('shortcuts')} isOpen={isOpen} onClose={onClose}>
      <dl className="flex flex-col gap-2">
        {rows.map(([keys, what]) => (
          <div key={keys.join()} className="flex items-center justify-between gap-4">
            <dt>{what}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
