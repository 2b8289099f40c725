// The command palette: markets, pages and commands by their names.

import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Icon, type IconName } from '../components/icon.tsx';
import { Probability } from '../components/probability.tsx';
import { titleOf } from '../format/titles.ts';
import { addressIn, basePath, lane, wishFor } from '../lane.ts';
import { navigation } from '../pages/page.ts';
import { useClient, useSession } from '../session/use-session.ts';
import { translate } from '../texts/texts.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import type { Overlay } from './overlay.ts';
import { frameTexts } from './texts.ts';
import { useGo } from './use-go.ts';

interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly price?: string;
  readonly run: () => void;
}

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onOpen: (overlay: Overlay) => void;
}

const FOUND_MAX = 8;

export function Palette({ isOpen, onClose, onOpen }: Props) {
  const t = useTexts(frameTexts);
  const [typed, setTyped] = useState('');
  const commands = useCommands(onOpen);
  const markets = useFoundMarkets(typed, isOpen);
  const wanted = typed.trim().toLowerCase();
  const shown = [
    ...markets,
    ...commands.filter((command) => command.label.toLowerCase().includes(wanted)),
  ];
  const choose = (command: Command): void => {
    setTyped('');
    onClose();
    command.run();
  };
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(next) => {
        if (next) return;
        setTyped('');
        onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.5)]" />
        <Dialog.Popup
          aria-label={t('commands')}
          className="fixed top-[10dvh] left-1/2 z-30 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-raised shadow-raised outline-none"
        >
          <Autocomplete.Root
            open
            inline
            items={shown}
            filter={null}
            value={typed}
            onValueChange={(next) => setTyped(next)}
            autoHighlight="always"
            itemToStringValue={(command: Command) => command.label}
          >
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Icon name="search" />
              <Autocomplete.Input
                aria-label={t('commandHint')}
                placeholder={t('commandHint')}
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted"
              />
            </div>
            <Autocomplete.Empty className="px-4 py-6 text-center text-muted empty:hidden">
              {t('nothing')}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-[50dvh] overflow-y-auto p-2 empty:p-0">
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.id}
                  value={command}
                  onClick={() => choose(command)}
                  className="flex cursor-default items-center gap-3 rounded-md px-2 py-2 data-highlighted:bg-accent-soft"
                >
                  <Icon name={command.icon} />
                  <span className="truncate">{command.label}</span>
                  {command.price !== undefined && (
                    <span className="ml-auto">
                      <Probability price={command.price} size="small" />
                    </span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useCommands(onOpen: (overlay: Overlay) => void): readonly Command[] {
  const t = useTexts(frameTexts);
  const locale = useLocale();
  const session = useSession();
  const go = useGo();
  const other = lane === 'sandbox' ? 'live' : 'sandbox';
  return [
    ...navigation.map((page) => ({
      id: page.path,
      label: translate(locale, page.title),
      icon: page.nav?.icon ?? ('home' as const),
      run: () => go(page.path),
    })),
    ...(session.status === 'signed_in'
      ? []
      : [
          {
            id: 'sign-in',
            label: t('signIn'),
            icon: 'user' as const,
            run: () => onOpen('sign_in'),
          },
        ]),
    { id: 'shortcuts', label: t('shortcuts'), icon: 'list', run: () => onOpen('shortcuts') },
    {
      id: 'lane',
      label: t(other === 'live' ? 'toLive' : 'toSandbox'),
      icon: 'globe',
      run: () => {
        wishFor(other);
        location.assign(addressIn(other));
      },
    },
  ];
}

function useFoundMarkets(typed: string, isOpen: boolean): readonly Command[] {
  const client = useClient();
  const go = useGo();
  const words = useDeferredValue(typed.trim());
  const { data } = useQuery({
    queryKey: ['found-markets', basePath, words],
    queryFn: async () => (await client.markets.list({ q: words, limit: FOUND_MAX })).items,
    enabled: isOpen && words.length > 1,
    placeholderData: (before) => before,
  });
  if (words.length < 2) return [];
  return (data ?? []).map((market) => ({
    id: market.market_id,
    label: titleOf(market),
    icon: 'chart',
    ...(market.outcomes[0] !== undefined && { price: market.outcomes[0].price }),
    run: () => go(`/m/${market.market_id}`),
  }));
}
