// A key and its id: the id is the beginning of the key, and opens nothing by itself.

/** The id of a key, of the whole key or of the id itself; null for what is neither. */
export function publicPart(key: string): string | null {
  return /^sk_(?:live|test)_[0-9A-Za-z]{16}/.exec(key)?.[0] ?? null;
}

/** A line for whoever gave the whole key where its id is meant, and none for others. */
export function wholeKeyWarning(given: string): readonly string[] {
  const id = publicPart(given);
  if (id === null || id === given) return [];
  return [
    `warning: that was the whole key, which others on this machine can see in your arguments; ${id} is its id, and enough`,
  ];
}
