// Theme and language, the same as in the menu of the account.
import { useContext } from 'react';
import { Card } from '../../components/card.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Select } from '../../components/select.tsx';
import { themes, useTheme } from '../../frame/use-theme.ts';
import { localeNames, locales } from '../../texts/texts.ts';
import { LocaleContext, useTexts } from '../../texts/use-texts.ts';
import { accountTexts } from './texts.ts';

export function Appearance() {
  const t = useTexts(accountTexts);
  const [theme, setTheme] = useTheme();
  const { locale, choose } = useContext(LocaleContext);
  return (
    <Card title={t('appearance')}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-muted">{t('theme')}</span>
          <Segmented
            label={t('theme')}
            value={theme}
            onChoose={setTheme}
            choices={themes.map((value) => ({ value, label: t(value) }))}
          />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-muted">{t('language')}</span>
          <Select
            label={t('language')}
            value={locale}
            onChoose={choose}
            choices={locales.map((value) => ({ value, label: localeNames[value] }))}
          />
        </div>
      </div>
    </Card>
  );
}
