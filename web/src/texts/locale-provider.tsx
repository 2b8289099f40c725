// Holds the reader's language for everything below it.
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { loadCatalogues } from './catalogues.ts';
import { firstLocale, LocaleContext, rememberLocale } from './use-texts.ts';

export function LocaleProvider({ children }: { readonly children: ReactNode }) {
  const [locale, setLocale] = useState(firstLocale);
  useEffect(() => {
    // Without them errors speak English, and the next page tries again.
    if (locale !== 'en') loadCatalogues().catch(() => undefined);
  }, [locale]);
  const value = useMemo(
    () => ({
      locale,
      choose: (next: typeof locale) => {
        rememberLocale(next);
        setLocale(next);
      },
    }),
    [locale],
  );
  return <LocaleContext value={value}>{children}</LocaleContext>;
}
