// Who is at the page and how much is free; theme and language are behind it too.
import { useContext } from 'react';
import { Icon } from '../components/icon.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { money } from '../format/amounts.ts';
import { lane } from '../lane.ts';
import { useAccount } from '../live/account-provider.tsx';
import { sessionStore } from '../session/session-store.ts';
import { useSession } from '../session/use-session.ts';
import { localeNames, locales } from '../texts/texts.ts';
import { LocaleContext, useLocale, useTexts } from '../texts/use-texts.ts';
import type { Overlay } from './overlay.ts';
import { frameTexts } from './texts.ts';
import { useGo } from './use-go.ts';
import { nextTheme, useTheme } from './use-theme.ts';

export function AccountMenu({ onOpen }: { readonly onOpen: (overlay: Overlay) => void }) {
  const t = useTexts(frameTexts);
  const { locale, choose } = useContext(LocaleContext);
  const session = useSession();
  const [theme, setTheme] = useTheme();
  const go = useGo();
  const themeTexts = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;
  const isHere = session.status === 'signed_in';
  const items: MenuItem[] = [
    ...(isHere ? [{ id: 'account', label: t('account'), onSelect: () => go('/account') }] : []),
    ...(isHere && !session.isDemo
      ? [
          { id: 'money', label: t('money'), onSelect: () => go('/money') },
          {
            id: 'subaccounts',
            label: t('subaccounts'),
            onSelect: () => go('/subaccounts'),
          },
        ]
      : []),
    ...(isHere && !session.isDemo
      ? []
      : [{ id: 'register', label: t('register'), onSelect: () => onOpen('register') }]),
    ...(isHere ? [] : [{ id: 'sign-in', label: t('signIn'), onSelect: () => onOpen('sign_in') }]),
    { id: 'theme', label: t(themeTexts[theme]), onSelect: () => setTheme(nextTheme(theme)) },
    ...locales
      .filter((each) => each !== locale)
      .map((each) => ({ id: each, label: localeNames[each], onSelect: () => choose(each) })),
    { id: 'shortcuts', label: t('shortcuts'), onSelect: () => onOpen('shortcuts') },
    ...(isHere
      ? [
          {
            id: 'sign-out',
            label: t('signOut'),
            onSelect: () => {
              sessionStore.logOut().catch(() => sessionStore.forget());
            },
          },
        ]
      : []),
  ];
  return <Menu label={t('account')} trigger={<Purse />} head={<Who />} items={items} />;
}

function Purse() {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  const account = useAccount();
  return (
    <span className="flex items-center gap-2">
      {account !== null && (
        <>
          <span
            className={`hidden text-xs font-semibold uppercase sm:inline ${lane === 'sandbox' ? 'text-sandbox' : 'text-live'}`}
          >
            {t(lane)}
          </span>
          <span className="font-semibold" data-testid="balance">
            {money(locale, account.free)}
          </span>
        </>
      )}
      <Icon name="user" />
    </span>
  );
}

function Who() {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  const account = useAccount();
  if (account === null) return <span className="text-muted">{t(lane)}</span>;
  const { display_name: name, email, mode, asset } = account.account;
  return (
    <div className="max-w-60">
      <p className="truncate font-semibold">
        {mode === 'demo' ? t('demo') : (name ?? email ?? account.account.account_id)}
      </p>
      <p className="text-xs text-muted">
        {money(locale, account.free)} {asset} {t('available')}
      </p>
    </div>
  );
}
