// A change of price: an arrow, a colour and the number say the same.
import { priceDirectionOf, signedCents } from '../format/amounts.ts';
import { useLocale, useTexts } from '../texts/use-texts.ts';
import { componentTexts } from './texts.ts';

const looks = {
  up: { arrow: '▲', colour: 'text-gain' },
  down: { arrow: '▼', colour: 'text-loss' },
  flat: { arrow: '', colour: 'text-muted' },
} as const;

export function Change({ change }: { readonly change: string }) {
  const locale = useLocale();
  const t = useTexts(componentTexts);
  const direction = priceDirectionOf(change);
  const { arrow, colour } = looks[direction];
  return (
    <span className={`inline-flex items-center gap-1 text-xs font-semibold ${colour}`}>
      <span aria-hidden="true">{arrow}</span>
      <span className="sr-only">{t(direction)}</span>
      {signedCents(locale, change)}
    </span>
  );
}
