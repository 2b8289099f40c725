// A gain or a loss of money: sign and colour say the same.
import { directionOf, signedMoney } from '../format/amounts.ts';
import { useLocale } from '../texts/use-texts.ts';

const colours = { up: 'text-gain', down: 'text-loss', flat: 'text-muted' } as const;

export function Profit({ amount }: { readonly amount: string }) {
  const locale = useLocale();
  return <span className={colours[directionOf(amount)]}>{signedMoney(locale, amount)}</span>;
}
