// What becomes of a withdrawal that people pay by hand.
import { ActButton } from '../acts/act-button.tsx';

export function PayoutActs({ id }: { readonly id: string }) {
  const preset = { withdrawal_id: id };
  return (
    <span className="flex flex-wrap gap-1">
      <ActButton act="markWithdrawalPaid" label="Was paid" kind="primary" preset={preset} />
      <ActButton act="rejectWithdrawal" label="Give back" kind="danger" preset={preset} />
    </span>
  );
}
