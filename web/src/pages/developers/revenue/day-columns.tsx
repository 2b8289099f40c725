// A column for each day; whoever points at one reads its day and its figures.
import { compareAmounts } from '@sibyl/sdk';
import { useState } from 'react';
import { dayName } from '../../../format/times.ts';
import { useLocale } from '../../../texts/use-texts.ts';

export interface Series {
  readonly label: string;
  /** A class with a colour of the tokens. */
  readonly colour: string;
}

export interface DayFigures {
  /** Of UTC, such as 2026-11-14. */
  readonly day: string;
  /** One of each series, as exact amounts. */
  readonly amounts: readonly string[];
}

interface Props {
  readonly label: string;
  readonly series: readonly Series[];
  readonly days: readonly DayFigures[];
  readonly amount: (exact: string) => string;
  /** What the tallest column stands for. */
  readonly most: (amount: string) => string;
}

const HEIGHT_PX = 128;

export function DayColumns({ label, series, days, amount, most }: Props) {
  const locale = useLocale();
  const [pointed, setPointed] = useState<string | null>(null);
  const tallest = days.flatMap(({ amounts }) => amounts).reduce(larger, '0');
  const inWords = ({ day, amounts }: DayFigures): string =>
    `${dayName(locale, day)}: ${series.map((one, at) => `${one.label} ${amount(amounts[at] ?? '0')}`).join(', ')}`;
  const shown = days.find(({ day }) => day === pointed);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex min-h-5 flex-wrap items-center gap-x-4 text-xs text-muted">
        {shown === undefined
          ? series.map(({ label: name, colour }) => (
              <span key={name} className="inline-flex items-center gap-1.5">
                <span aria-hidden="true" className={`size-2.5 rounded-sm ${colour}`} />
                {name}
              </span>
            ))
          : inWords(shown)}
        {shown === undefined && <span className="ml-auto">{most(amount(tallest))}</span>}
      </figcaption>
      <ol
        aria-label={label}
        onPointerLeave={() => setPointed(null)}
        className="flex items-end gap-px border-b border-line"
        style={{ height: HEIGHT_PX }}
      >
        {days.map((figures) => (
          <li
            key={figures.day}
            onPointerEnter={() => setPointed(figures.day)}
            className="flex h-full min-w-0 flex-1 items-end hover:bg-accent-soft"
          >
            <span className="sr-only">{inWords(figures)}</span>
            {series.map(({ label: name, colour }, at) => (
              <span
                key={name}
                aria-hidden="true"
                className={`block min-w-0 flex-1 ${colour}`}
                style={{ height: columnPx(figures.amounts[at] ?? '0', tallest) }}
              />
            ))}
          </li>
        ))}
      </ol>
      <div className="flex justify-between text-xs text-muted">
        <span>{dayName(locale, first.day)}</span>
        <span>{dayName(locale, last.day)}</span>
      </div>
    </figure>
  );
}

/** What there was at all is seen. */
function columnPx(amount: string, tallest: string): number {
  const value = Number(amount);
  return value <= 0 ? 0 : Math.max(2, Math.round((value / Number(tallest)) * HEIGHT_PX));
}

function larger(one: string, other: string): string {
  return compareAmounts(one, other) < 0 ? other : one;
}
