// A gain or a loss of money: sign and colour say the same.
import { exactDirectionOf } from '../format/amounts.ts';
import { Amount } from './amount.tsx';

const colours = { up: 'text-gain', down: 'text-loss', flat: 'text-muted' } as const;

export function Profit({ amount }: { readonly amount: string }) {
  return (
    <span className={colours[exactDirectionOf(amount)]}>
      <Amount amount={amount} isSigned />
    </span>
  );
}
