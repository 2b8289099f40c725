// What becomes of a withdrawal that people pay by hand.
import { ErrorNote } from '../../components/error-note.tsx';
import { RowOutlines } from '../../components/list-table.tsx';
import { ActButton } from '../acts/act-button.tsx';
import { Facts } from '../acts/facts.tsx';
import { useAsk } from '../use-ask.ts';

interface PayoutActsProps {
  readonly id: string;
  /** Whether somebody has begun to pay it. */
  readonly isTaken: boolean;
}

export function PayoutActs({ id, isTaken }: PayoutActsProps) {
  // Nobody pays out of the sandbox, whatever lane is looked at.
  const form = { preset: { withdrawal_id: id, lane: 'live' }, about: <PayoutFacts id={id} /> };
  return (
    <span className="flex flex-wrap gap-1">
      {isTaken ? (
        <ActButton act="markWithdrawalPaid" label="Was paid" kind="primary" {...form} />
      ) : (
        <ActButton act="takeWithdrawal" label="Pay now" kind="primary" {...form} />
      )}
      <ActButton act="rejectWithdrawal" label="Give back" kind="danger" {...form} />
    </span>
  );
}

/** How much goes where and whose it is, as it stands now: an id alone is easily that of another. */
function PayoutFacts({ id }: { readonly id: string }) {
  const { data, error } = useAsk('inspectWithdrawal', { params: { withdrawal_id: id } });
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return <RowOutlines />;
  const { amount, asset, destination, account_id, state } = data;
  return <Facts of={{ amount: `${amount} ${asset}`, destination, account_id, state }} />;
}

interface NeverPaidProps {
  readonly withdrawal: {
    readonly withdrawal_id: string;
    readonly account_id: string;
    readonly asset: string;
    readonly amount: string;
    readonly reference: string | null;
  };
}

/** Two treasurers give back what was told as paid; the id as the reference lets that happen once. */
export function NeverPaid({ withdrawal }: NeverPaidProps) {
  const { withdrawal_id: id, account_id, asset, amount, reference } = withdrawal;
  const preset = { account_id, asset, amount, external_ref: id, lane: 'live' };
  const about = (
    <p>
      It was told as paid, by {reference ?? 'no reference'}. Go on only if the statement of the bank
      shows no such payment: the whole amount goes back to the account once a second treasurer
      agrees, the withdrawal stays completed, and its owner may ask for it anew.
    </p>
  );
  return (
    <ActButton
      act="correctBalance"
      label="Was never paid"
      kind="danger"
      preset={preset}
      about={about}
    />
  );
}
