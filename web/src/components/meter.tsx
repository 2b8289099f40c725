// How much of a limit is used, as a bar and in figures.
import { useTexts } from '../texts/use-texts.ts';
import { componentTexts } from './texts.ts';

interface Props {
  readonly label: string;
  /** Between 0 and 1. */
  readonly share: number;
  readonly used: string;
  readonly most: string;
}

const NEARLY_FULL = 0.8;

export function Meter({ label, share, used, most }: Props) {
  const t = useTexts(componentTexts);
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  const colour = share >= 1 ? 'bg-loss' : share >= NEARLY_FULL ? 'bg-warn' : 'bg-accent';
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-2 text-xs">
        <span className="text-muted">{label}</span>
        <span>{t('of', { used, most })}</span>
      </div>
      <meter className="sr-only" aria-label={label} min={0} max={100} value={percent} />
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-sm bg-line">
        <div className={`h-full ${colour}`} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
