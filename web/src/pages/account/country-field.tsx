// A country by its name in the reader's language.
import { countryCodes } from '@sibyl/contract/countries';
import { useId, useMemo } from 'react';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { ownSecurityTexts } from './security-texts.ts';

interface Props {
  /** Empty if none is said. */
  readonly value: string;
  readonly onChoose: (code: string) => void;
}

export function CountryField({ value, onChoose }: Props) {
  const t = useTexts(ownSecurityTexts);
  const locale = useLocale();
  const id = useId();
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    return countryCodes
      .map((code) => ({ code, name: names.of(code) ?? code }))
      .sort((one, other) => one.name.localeCompare(other.name, locale));
  }, [locale]);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {t('country')}
      </label>
      <select
        id={id}
        autoComplete="country"
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className="h-9 rounded-md border border-line bg-surface px-3"
      >
        <option value="">{t('notSaid')}</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
