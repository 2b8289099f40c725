// A gain or a loss of money: sign and colour say the same.
import { exactDirectionOf, signedTellingMoney } from '../format/amounts.ts';
import { useLocale } from '../texts/use-texts.ts';

const colours = { up: 'text-gain', down: 'text-loss', flat: 'text-muted' } as const;

export function Profit({ amount }: { readonly amount: string }) {
  const locale = useLocale();
  const colour = colours[exactDirectionOf(amount)];
  return <span className={colour}>{signedTellingMoney(locale, amount)}</span>;
}
