// The end of a budget: the largest size whose cost and fees still fit.

/** Whether a size fits; asked of sizes between those known to fit and not to. */
type Fits = (size: number) => boolean;

/**
 * A size below `beyond`, which does not fit, that fits while one more lot does not; 0 when not even one lot does.
 * Halving, so that the answer is the same on every machine even where rounding makes totals step back.
 */
export function largestFitting(beyond: number, fits: Fits): number {
  let within = 0;
  let outside = beyond;
  while (outside - within > 1) {
    const sum = within + outside;
    const middle = (sum - (sum % 2)) / 2; // exact: an even number halved
    if (fits(middle)) within = middle;
    else outside = middle;
  }
  return within;
}

/** How often such a search halves at most, which is what it counts for. */
export function halvings(beyond: number): number {
  let count = 0;
  for (let left = beyond - 1; left > 0; left = (left - (left % 2)) / 2) count += 1; // exact: an even number halved
  return count;
}
