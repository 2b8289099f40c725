// Days, weeks and months of UTC, by which a user's own limits are counted.

const DAY_MS = 86_400_000;

/** In this order everywhere. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** The numbers of the day, the week (from Monday) and the month that a moment is in. */
export function periodsOf(atMs: number): readonly [number, number, number] {
  const day = whole(atMs, DAY_MS);
  // The first day of the epoch was a Thursday.
  return [day, whole(day + 3, 7), monthOf(day)];
}

/** When the next day begins. */
export function nextDayMs(atMs: number): number {
  return (whole(atMs, DAY_MS) + 1) * DAY_MS;
}

/** When the day, week or month of the moment is over. */
export function periodEndMs(period: Period, atMs: number): number {
  const at = PERIODS.indexOf(period);
  const current = periodsOf(atMs)[at];
  let endMs = nextDayMs(atMs);
  while (periodsOf(endMs)[at] === current) endMs += DAY_MS;
  return endMs;
}

/** Months since March of year 0, by the calendar: years begin in March, so that a leap day is a year's last. */
function monthOf(day: number): number {
  const shifted = day + 719_468;
  const era = whole(shifted, 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leaps = whole(dayOfEra, 1460) - whole(dayOfEra, 36_524) + whole(dayOfEra, 146_096);
  const yearOfEra = whole(dayOfEra - leaps, 365);
  const yearDays = 365 * yearOfEra + whole(yearOfEra, 4) - whole(yearOfEra, 100);
  const dayOfYear = dayOfEra - yearDays;
  return (era * 400 + yearOfEra) * 12 + whole(5 * dayOfYear + 2, 153);
}

/** Neither is ever negative, and both are far below 2⁵³. */
function whole(amount: number, by: number): number {
  return (amount - (amount % by)) / by; // exact: the remainder is taken off before
}
