// The foot of every page: how the exchange does, the documents, the language, and whom something is owed to.
import { useContext } from 'react';
import { PageLink } from '../components/page-link.tsx';
import { localeNames, locales } from '../texts/texts.ts';
import { LocaleContext, useTexts } from '../texts/use-texts.ts';
import { frameTexts } from './texts.ts';

const link = 'underline-offset-2 hover:text-text hover:underline';

export function Footer() {
  const t = useTexts(frameTexts);
  const { locale, choose } = useContext(LocaleContext);
  return (
    // On a phone the navigation covers the end of the page.
    <footer className="border-t border-line pb-20 text-xs text-muted lg:pb-0">
      <div className="mx-auto flex max-w-[90rem] flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-6">
        <nav aria-label={t('footer')} className="flex flex-wrap gap-x-4 gap-y-2">
          <PageLink to="/status" className={link}>
            {t('status')}
          </PageLink>
          <a href="/docs/" className={link}>
            {t('documents')}
          </a>
          {/* Its licence asks for a link; nothing is loaded from there. */}
          <a href="https://www.tradingview.com/" rel="noreferrer" className={link}>
            {t('chartCredit')}
          </a>
          <span>{t('licence')}</span>
        </nav>
        <fieldset aria-label={t('language')} className="flex flex-wrap gap-x-3 gap-y-2">
          {locales.map((each) => (
            <button
              key={each}
              type="button"
              lang={each}
              aria-pressed={each === locale}
              onClick={() => choose(each)}
              className={`${link} aria-pressed:font-semibold aria-pressed:text-text`}
            >
              {localeNames[each]}
            </button>
          ))}
        </fieldset>
      </div>
    </footer>
  );
}
