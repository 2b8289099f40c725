// A short word about a thing, with a colour that says the same.
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'accent' | 'gain' | 'loss' | 'warn';

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'border-line text-muted',
  accent: 'border-transparent bg-accent-soft text-accent',
  gain: 'border-transparent bg-gain-soft text-gain',
  loss: 'border-transparent bg-loss-soft text-loss',
  warn: 'border-transparent bg-warn-soft text-warn',
};

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 text-xs font-semibold whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
