// What each subaccount has, and what can be done with it.
import type { Subaccount } from '@sibyl/sdk';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { money } from '../../format/amounts.ts';
import { useClient } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { LabelDialog } from './label-dialog.tsx';
import { subaccountTexts } from './texts.ts';

interface Props {
  readonly list: readonly Subaccount[];
  readonly onChanged: () => Promise<unknown>;
}

type Act = 'rename' | 'freeze' | 'close';

interface Asked {
  readonly act: Act;
  readonly subaccount: Subaccount;
}

export function SubaccountTable({ list, onChanged }: Props) {
  const t = useTexts(subaccountTexts);
  const client = useClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const change = async (
    { subaccount_id: id }: Subaccount,
    wanted: Parameters<typeof client.subaccounts.change>[1],
  ): Promise<void> => {
    await client.subaccounts.change(id, wanted);
    await onChanged();
  };
  const columns = useColumns((act, subaccount) => {
    if (act === 'let_go') change(subaccount, { status: 'active' }).catch(() => undefined);
    else setAsked({ act, subaccount });
  });
  return (
    <>
      <Table
        label={t('title')}
        columns={columns}
        rows={list}
        keyOf={({ subaccount_id: id }) => id}
      />
      {asked?.act === 'rename' && (
        <LabelDialog
          title={t('rename')}
          label={asked.subaccount.label}
          onSave={(label) => change(asked.subaccount, { label })}
          onClose={() => setAsked(null)}
        />
      )}
      {asked !== null && asked.act !== 'rename' && (
        <Confirm
          title={`${t(asked.act)}: ${asked.subaccount.label}`}
          action={t(asked.act)}
          onConfirm={() =>
            change(asked.subaccount, { status: asked.act === 'freeze' ? 'frozen' : 'closed' })
          }
          onClose={() => setAsked(null)}
        >
          <p>{t(asked.act === 'freeze' ? 'freezeText' : 'closeText')}</p>
        </Confirm>
      )}
    </>
  );
}

function useColumns(
  onAct: (act: Act | 'let_go', subaccount: Subaccount) => void,
): readonly Column<Subaccount>[] {
  const t = useTexts(subaccountTexts);
  const locale = useLocale();
  return [
    {
      id: 'label',
      title: t('label'),
      cell: ({ label, balance_reserved: reserved, open_orders: orders, positions }) => (
        <span className="block py-2 sm:min-w-32">
          <bdi className="wrap-anywhere">{label}</bdi>
          <span className="flex flex-col text-xs text-muted sm:hidden">
            <span>{`${t('reserved')}: ${money(locale, reserved)}`}</span>
            <span>{`${t('orders')}: ${orders}`}</span>
            <span>{`${t('positions')}: ${positions}`}</span>
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      cell: (each) => <span className="sm:whitespace-nowrap">{t(stateOf(each))}</span>,
    },
    {
      id: 'free',
      title: t('free'),
      isFigure: true,
      cell: ({ balance_free: free }) => money(locale, free),
    },
    {
      id: 'reserved',
      title: t('reserved'),
      isFigure: true,
      isMinor: true,
      cell: ({ balance_reserved: reserved }) => money(locale, reserved),
    },
    {
      id: 'orders',
      title: t('orders'),
      isFigure: true,
      isMinor: true,
      cell: ({ open_orders: orders }) => orders,
    },
    {
      id: 'positions',
      title: t('positions'),
      isFigure: true,
      isMinor: true,
      cell: ({ positions }) => positions,
    },
    {
      id: 'actions',
      title: <span className="max-sm:sr-only">{t('actions')}</span>,
      cell: (each) => {
        const isFrozen = each.status === 'frozen';
        const acts = ['rename', isFrozen ? 'let_go' : 'freeze', 'close'] as const;
        if (each.frozen_by === 'operator') return null;
        return (
          <Menu
            label={t('actionsOf', { label: each.label })}
            trigger={<Icon name="menu" />}
            items={acts.map((act) => ({
              id: act,
              label: t(act === 'let_go' ? 'letGo' : act),
              onSelect: () => onAct(act, each),
            }))}
          />
        );
      },
    },
  ];
}

function stateOf({ status, frozen_by: by }: Subaccount): 'active' | 'frozen' | 'held' {
  if (status !== 'frozen') return 'active';
  return by === 'operator' ? 'held' : 'frozen';
}
