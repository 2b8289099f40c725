// Reads the metrics text of this process, the one that Prometheus reads.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function readMetrics(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const read = [...labels.matchAll(LABEL)].map(([, label = '', word = '']) => [label, word]);
    return { name, labels: Object.fromEntries(read), value: Number(value) };
  });
}

/** Of all that have the labels. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, word]) => sample.labels[key] === word))
    .reduce((sum, { value }) => sum + value, 0);
}

/** The latency in seconds that a share of the answers between two samples stayed below; null if there were none. */
export function quantileOf(
  before: readonly Sample[],
  after: readonly Sample[],
  name: string,
  share: number,
): number | null {
  const earlier = bucketsOf(before, name);
  const buckets = [...bucketsOf(after, name)].map(
    ([bound, count]) => [bound, count - (earlier.get(bound) ?? 0)] as const,
  );
  const sorted = buckets.toSorted(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total <= 0) return null;
  const found = sorted.find(([, count]) => count >= total * share)?.[0] ?? null;
  return found === Number.POSITIVE_INFINITY ? (sorted.at(-2)?.[0] ?? null) : found;
}

/** Answers up to each bound, of all operations together. */
function bucketsOf(samples: readonly Sample[], name: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { name: own, labels, value } of samples) {
    if (own !== `${name}_bucket`) continue;
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  return counts;
}
