// The beginning of a long list in its order, without sorting the rest of it.

/** No more than `limit` of them, in their order. */
export function firstOf<T>(
  items: Iterable<T>,
  limit: number,
  compare: (a: T, b: T) => number,
): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === limit && compare(item, first[limit - 1]!) >= 0) continue;
    let low = 0;
    let high = first.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(item, first[middle]!) < 0) high = middle;
      else low = middle + 1;
    }
    first.splice(low, 0, item);
    if (first.length > limit) first.pop();
  }
  return first;
}
