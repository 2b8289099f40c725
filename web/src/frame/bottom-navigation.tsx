// The pages at the thumb of whoever holds a phone.
import { Icon } from '../components/icon.tsx';
import { PageLink } from '../components/page-link.tsx';
import { navigation } from '../pages/page.ts';
import { translate } from '../texts/texts.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { frameTexts } from './texts.ts';

export function BottomNavigation() {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  return (
    <nav
      aria-label={t('navigation')}
      className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {navigation.map((page) => (
        <PageLink
          key={page.path}
          to={page.path}
          className="flex min-w-0 flex-1 flex-col items-center gap-1 py-2 text-xs text-muted aria-[current=page]:text-accent"
        >
          <Icon name={page.nav?.icon ?? 'home'} />
          <span className="max-w-full truncate">{translate(locale, page.title)}</span>
        </PageLink>
      ))}
    </nav>
  );
}
