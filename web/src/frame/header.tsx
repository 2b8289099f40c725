// The head of every page: name, search, the pages, and who is here with how much.
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Kbd } from '../components/kbd.tsx';
import { PageLink } from '../components/page-link.tsx';
import { navigation } from '../pages/page.ts';
import { useSession } from '../session/use-session.ts';
import { translate } from '../texts/texts.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { AccountMenu } from './account-menu.tsx';
import type { Overlay } from './overlay.ts';
import { frameTexts } from './texts.ts';

export function Header({ onOpen }: { readonly onOpen: (overlay: Overlay) => void }) {
  const t = useTexts(frameTexts);
  const session = useSession();
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-surface">
      <div className="mx-auto flex h-14 max-w-[90rem] items-center gap-4 px-4 sm:px-6">
        <PageLink to="/" className="flex items-center gap-2 text-base font-semibold">
          <img src="/icon.svg" alt="" width="24" height="24" />
          Sibyl
        </PageLink>
        <button
          type="button"
          onClick={() => onOpen('palette')}
          className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md border border-line bg-page px-3 text-muted hover:border-muted sm:max-w-xs"
        >
          <Icon name="search" />
          <span className="truncate">{t('search')}</span>
          <span className="ml-auto hidden sm:block">
            <Kbd>/</Kbd>
          </span>
        </button>
        <Pages />
        <div className="ml-auto flex shrink-0 items-center gap-1">
          {session.status === 'visitor' && (
            <Button kind="quiet" onClick={() => onOpen('sign_in')}>
              {t('signIn')}
            </Button>
          )}
          <AccountMenu onOpen={onOpen} />
        </div>
      </div>
    </header>
  );
}

function Pages() {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  return (
    <nav aria-label={t('navigation')} className="hidden gap-1 lg:flex">
      {navigation.map((page) => (
        <PageLink
          key={page.path}
          to={page.path}
          className="rounded-md px-3 py-2 text-muted hover:bg-accent-soft hover:text-text aria-[current=page]:font-semibold aria-[current=page]:text-text"
        >
          {translate(locale, page.title)}
        </PageLink>
      ))}
    </nav>
  );
}
