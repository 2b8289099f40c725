// Commands, outcomes and states as text: bigints and odd numbers survive, keys are sorted.

/** JSON with bigints as {"$n":"…"}, numbers that JSON lacks as {"$f":"…"}, and sorted keys. */
export function encode(value: unknown): string {
  return JSON.stringify(tag(value));
}

export function decode(text: string): unknown {
  return untag(JSON.parse(text));
}

function tag(value: unknown): unknown {
  if (typeof value === 'bigint') return { $n: value.toString() };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $f: String(value) };
  if (Array.isArray(value)) return value.map(tag);
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return tag(value.toJSON());
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([key, each]) => [key, tag(each)]),
  );
}

function untag(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untag);
  if (typeof value !== 'object' || value === null) return value;
  if ('$n' in value && typeof value.$n === 'string') return BigInt(value.$n);
  if ('$f' in value && typeof value.$f === 'string') return Number(value.$f);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, untag(each)]));
}

/** Where two values differ: one line per place, at most so many. */
export function differences(left: unknown, right: unknown, most = 6): string[] {
  const found: string[] = [];
  walk('', tag(left), tag(right), found);
  return found.slice(0, most);
}

function walk(path: string, left: unknown, right: unknown, found: string[]): void {
  const a = JSON.stringify(left);
  const b = JSON.stringify(right);
  if (a === b) return;
  const inner = isRecord(left) && isRecord(right) && Array.isArray(left) === Array.isArray(right);
  if (!inner) {
    found.push(`${path || 'value'}: engine ${a}, reference ${b}`);
    return;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    walk(path === '' ? key : `${path}.${key}`, left[key], right[key], found);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
