// In which order ids come: by their characters, as the databases have them.

export function orderOf(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
