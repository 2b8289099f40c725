// What becomes of a withdrawal that people pay by hand.
import { ActButton } from '../acts/act-button.tsx';

interface PayoutActsProps {
  readonly id: string;
  /** Whether somebody has begun to pay it. */
  readonly isTaken: boolean;
}

export function PayoutActs({ id, isTaken }: PayoutActsProps) {
  const preset = { withdrawal_id: id };
  return (
    <span className="flex flex-wrap gap-1">
      {isTaken ? (
        <ActButton act="markWithdrawalPaid" label="Was paid" kind="primary" preset={preset} />
      ) : (
        <ActButton act="takeWithdrawal" label="Pay now" kind="primary" preset={preset} />
      )}
      <ActButton act="rejectWithdrawal" label="Give back" kind="danger" preset={preset} />
    </span>
  );
}
