// The price of an outcome, the largest thing wherever it stands: cents and percent are the same number.
import { cents } from '../format/amounts.ts';
import { useLocale } from '../texts/use-texts.ts';

const sizes = { small: 'text-base', medium: 'text-xl', large: 'text-2xl' } as const;

export function Probability({
  price,
  size = 'medium',
}: {
  readonly price: string;
  readonly size?: keyof typeof sizes;
}) {
  const locale = useLocale();
  return (
    <span className={`font-semibold tracking-tight ${sizes[size]}`}>
      {cents(locale, price, size === 'large' ? 1 : 0)}
      <span className="text-[0.6em] text-muted">¢</span>
    </span>
  );
}
