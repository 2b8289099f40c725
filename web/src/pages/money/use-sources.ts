// Whose money can be withdrawn: one's own account's, and that of each subaccount.
import { useAccount } from '../../live/account-provider.tsx';
import { useSubaccounts } from '../../live/use-subaccounts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { moneyTexts } from './texts.ts';

export interface Source {
  /** Null for one's own account. */
  readonly subaccountId: string | null;
  readonly label: string;
  /** Null until it is known. */
  readonly free: string | null;
}

/** The own account first; what is closed or frozen gives nothing. */
export function useSources(): readonly [Source, ...Source[]] {
  const t = useTexts(moneyTexts);
  const account = useAccount();
  const { list } = useSubaccounts();
  const open = (list ?? []).filter(({ status }) => status === 'active');
  return [
    { subaccountId: null, label: t('own'), free: account?.free ?? null },
    ...open.map((one) => ({
      subaccountId: one.subaccount_id,
      label: one.label,
      free: one.balance_free,
    })),
  ];
}
