// A star: whoever watches a market finds it again.
import { setWatched, useWatched } from '../session/watch-list.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { componentTexts } from './texts.ts';

export function WatchButton({ marketId }: { readonly marketId: string }) {
  const t = useTexts(componentTexts);
  const isWatched = useWatched().includes(marketId);
  return (
    <IconButton
      label={t('watch')}
      aria-pressed={isWatched}
      onClick={() => setWatched(marketId, !isWatched)}
    >
      <Icon name="star" isFilled={isWatched} />
    </IconButton>
  );
}
