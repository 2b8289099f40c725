// The command palette: markets, pages and commands by their names.

import { marketTitle, outcomeName } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react';
import { Icon, type IconName } from '../components/icon.tsx';
import { Probability } from '../components/probability.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { leadersOf } from '../format/outcomes.ts';
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
  /** What a market says at a glance: its state, or what is most likely. */
  readonly aside?: ReactNode;
  readonly run: () => void;
}

interface Props {
  readonly onClose: () => void;
  readonly onOpen: (overlay: Overlay) => void;
}

const FOUND_MAX = 8;

/**
 * Part of the first script and a native dialog, whose field has the focus before the next key: a palette that loads or draws
 * later would leave keys to the page, where they are commands.
 */
export function Palette({ onClose, onOpen }: Props) {
  const t = useTexts(frameTexts);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [isEnterWaiting, setEnterWaiting] = useState(false);
  const commands = useCommands(onOpen);
  const { markets, isSettled } = useFoundMarkets(typed.trim());
  const wanted = typed.trim().toLowerCase();
  const shown = [
    ...markets,
    ...commands.filter((command) => command.label.toLowerCase().includes(wanted)),
  ];
  const choose = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  // What stands first now was found by other words: Enter waits for the answer to these.
  const chooseFirst = useEffectEvent(() => choose(shown[0]));
  useEffect(() => {
    if (isEnterWaiting && isSettled) chooseFirst();
  }, [isEnterWaiting, isSettled]);
  const press = (event: KeyboardEvent): void => {
    // Enter also ends a word of an input method.
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === 'Enter') {
      if (isSettled) choose(shown[active]);
      else setEnterWaiting(true);
    } else if (key === 'ArrowDown') setActive(Math.min(active + 1, shown.length - 1));
    else if (key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <Modal label={t('commands')} onClose={onClose}>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={shown[active] && `${listId}-${shown[active].id}`}
          aria-label={t('commandHint')}
          placeholder={t('commandHint')}
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
            setEnterWaiting(false);
          }}
          onKeyDown={press}
          className="h-12 w-full bg-transparent text-base outline-none placeholder:text-muted"
        />
      </div>
      {shown.length === 0 && isSettled && (
        <p role="status" className="px-4 py-6 text-center text-muted">
          {t('nothing')}
        </p>
      )}
      <div
        id={listId}
        role="listbox"
        aria-label={t('commands')}
        // The focus stays in the field.
        onMouseDown={(event) => event.preventDefault()}
        className="max-h-[50dvh] overflow-y-auto p-2 empty:p-0"
      >
        {shown.map((command, index) => (
          <Row
            key={command.id}
            id={`${listId}-${command.id}`}
            command={command}
            isActive={index === active}
            onPoint={() => setActive(index)}
            onChoose={() => choose(command)}
          />
        ))}
      </div>
    </Modal>
  );
}

interface ModalProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Modal({ label, onClose, children }: ModalProps) {
  return (
    <dialog
      ref={showModal}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        // Nothing but its backdrop is the dialog itself.
        if (event.target === event.currentTarget) onClose();
      }}
      className="fixed top-[10dvh] left-1/2 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg border border-line bg-raised text-text shadow-raised outline-none backdrop:bg-[rgb(0_0_0/0.5)]"
    >
      {children}
    </dialog>
  );
}

/** The focus goes to the field, and back to where it was. */
function showModal(dialog: HTMLDialogElement | null): (() => void) | undefined {
  if (dialog === null) return undefined;
  dialog.showModal();
  return () => dialog.close();
}

interface RowProps {
  readonly id: string;
  readonly command: Command;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Row({ id, command, isActive, onPoint, onChoose }: RowProps) {
  return (
    <button
      type="button"
      role="option"
      id={id}
      tabIndex={-1}
      ref={isActive ? seen : undefined}
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onChoose}
      className="flex w-full cursor-default items-center gap-3 rounded-md px-2 py-2 text-left aria-selected:bg-accent-soft"
    >
      <Icon name={command.icon} />
      <span className="truncate">{command.label}</span>
      {command.aside !== undefined && (
        <span className="ml-auto flex max-w-[40%] shrink-0 items-center gap-2">
          {command.aside}
        </span>
      )}
    </button>
  );
}

function Glance({ market }: { readonly market: Market }) {
  const locale = useLocale();
  if (market.status !== 'active' || market.halted) return <StateBadge market={market} />;
  const [leader] = leadersOf(market);
  if (leader === undefined) return null;
  return (
    <>
      {market.outcome_schema === 'multi' && (
        <bdi className="truncate text-muted">{outcomeName(locale, market, leader)}</bdi>
      )}
      <Probability price={leader.price} size="small" />
    </>
  );
}

function seen(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'nearest' });
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

/** What these words found, or words before them as long as these have no answer. */
function useFoundMarkets(words: string): {
  readonly markets: readonly Command[];
  readonly isSettled: boolean;
} {
  const client = useClient();
  const locale = useLocale();
  const go = useGo();
  const isSearch = words.length > 1;
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: ['found-markets', basePath, words],
    queryFn: async () =>
      (await client.markets.list({ q: words, sort: 'relevance', limit: FOUND_MAX })).items,
    enabled: isSearch,
    placeholderData: (before) => before,
  });
  if (!isSearch) return { markets: [], isSettled: true };
  const markets = (data ?? []).map((market) => ({
    id: market.market_id,
    label: marketTitle(locale, market),
    icon: 'chart' as const,
    aside: <Glance market={market} />,
    run: () => go(`/m/${market.market_id}`),
  }));
  return { markets, isSettled: !isPending && !isPlaceholderData };
}
