// Money with two places; the pointer shows the rest of it.
import { exactMoney, money, signedExactMoney, signedMoney } from '../format/amounts.ts';
import { useLocale } from '../texts/use-texts.ts';

interface Props {
  readonly amount: string;
  readonly isSigned?: boolean;
}

export function Amount({ amount, isSigned = false }: Props) {
  const locale = useLocale();
  const shown = isSigned ? signedMoney(locale, amount) : money(locale, amount);
  const exact = isSigned ? signedExactMoney(locale, amount) : exactMoney(locale, amount);
  return <span title={exact === shown ? undefined : exact}>{shown}</span>;
}
