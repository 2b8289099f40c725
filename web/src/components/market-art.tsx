// A small picture for a market, drawn from its id: foreign pictures are never loaded.
interface Props {
  readonly marketId: string;
}

const colours = [
  'var(--outcome-1)',
  'var(--outcome-2)',
  'var(--outcome-3)',
  'var(--outcome-4)',
  'var(--outcome-5)',
] as const;

export function MarketArt({ marketId }: Props) {
  const digits = [...marketId].map((sign) => sign.charCodeAt(0));
  const at = (index: number): number => digits.at(-1 - index) ?? 0;
  const ground = colours[at(0) % colours.length];
  const shape = colours[(at(0) + 1 + (at(1) % (colours.length - 1))) % colours.length];
  const turn = (at(2) % 8) * 45;
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className="size-10 shrink-0 rounded-md">
      <rect width="40" height="40" fill={ground} opacity="0.18" />
      <g transform={`rotate(${turn} 20 20)`}>
        <circle cx={12 + (at(3) % 8)} cy="16" r={8 + (at(4) % 6)} fill={ground} opacity="0.75" />
        <path d="M20 40a20 20 0 0 1 20-20v20Z" fill={shape} opacity="0.8" />
      </g>
    </svg>
  );
}
