// Buy or sell, as a word in its colour.
import { useTexts } from '../../texts/use-texts.ts';
import { portfolioTexts } from './texts.ts';

export function SideWord({ side }: { readonly side: string }) {
  const t = useTexts(portfolioTexts);
  return (
    <span className={`whitespace-nowrap ${side === 'buy' ? 'text-gain' : 'text-loss'}`}>
      {t(side === 'buy' ? 'buy' : 'sell')}
    </span>
  );
}
