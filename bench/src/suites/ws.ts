// The ws suite: one message to a thousand sockets, by the library's send and by frames made once and written together.
import type { Figure, Ratio, Report } from '../harness/report.ts';
import { spreadOf } from '../harness/statistics.ts';
import type { Measurement, Plan, PlanOptions, Step, Suite } from '../suite.ts';
import { measureFanOut, type Variant, variants } from '../ws/fan-out.ts';

export const wsSuite: Suite = {
  name: 'ws',
  about: 'fan-out of one stream to 1,000 sockets: send by ws, one frame for all, ten per write',
  tasks: {
    fanOut: ([name = '', sockets]) => measureFanOut(variantOf(name), Number(sockets)),
  },
  plan,
};

const SOCKETS = 1_000;
const SOCKETS_MANY = 5_000;
const SECONDS = 8;

function plan({ rounds, quick }: PlanOptions): Plan {
  const samples = new Map<string, Measurement[]>();
  const noisy = { count: 0, of: 0 };
  const steps: Step[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const variant of variants) steps.push(stepOf(variant, SOCKETS, round, samples, noisy));
  }
  if (!quick) {
    for (const variant of variants) steps.push(stepOf(variant, SOCKETS_MANY, 1, samples, noisy));
  }
  return { steps, report: () => conclude(samples, noisy) };
}

function stepOf(
  variant: Variant,
  sockets: number,
  round: number,
  samples: Map<string, Measurement[]>,
  noisy: { count: number; of: number },
): Step {
  const label = `${variant}, ${sockets} sockets, round ${round}`;
  return {
    label,
    expectedSeconds: SECONDS,
    async run(context) {
      const isQuiet = await context.waitUntilQuiet();
      // In a process of its own: a thousand dead sockets are work for the collector.
      const sample = await context.child(label).run('fanOut', variant, String(sockets));
      context.release(label);
      noisy.of += 1;
      if (!isQuiet) noisy.count += 1;
      const series = `${variant}, ${sockets} sockets`;
      samples.set(series, [...(samples.get(series) ?? []), sample]);
    },
  };
}

function conclude(
  samples: ReadonlyMap<string, readonly Measurement[]>,
  noisy: { readonly count: number; readonly of: number },
): Report {
  const figures: Figure[] = [];
  const faults: string[] = [];
  for (const [series, taken] of samples) {
    figures.push(figure(`${series}, delivered`, 'messages/s', taken, 'perSecond'));
    figures.push(figure(`${series}, CPU`, 'messages/CPU-s', taken, 'perCpuSecond'));
    if (taken.some(({ perSecond = 0 }) => perSecond === 0)) {
      faults.push(`${series}: nothing was delivered`);
    }
  }
  const notes =
    noisy.count === 0 ? [] : [`${noisy.count} of ${noisy.of} samples on a busy machine`];
  return { ratios: ratioOf(samples), figures, faults, notes };
}

function ratioOf(samples: ReadonlyMap<string, readonly Measurement[]>): readonly Ratio[] {
  const peer = valuesOf(samples.get(`ws send, ${SOCKETS} sockets`) ?? [], 'perCpuSecond');
  const ours = valuesOf(samples.get(`coalesced, ${SOCKETS} sockets`) ?? [], 'perCpuSecond');
  if (peer.length === 0 || ours.length === 0) return [];
  const value = spreadOf(ours).median / spreadOf(peer).median;
  return [{ name: 'fan-out coalesced/ws send', value, must: 5, goal: 10 }];
}

function figure(name: string, unit: string, taken: readonly Measurement[], field: string): Figure {
  const { median, min, max } = spreadOf(valuesOf(taken, field));
  return { name, value: median, unit, range: [min, max] };
}

function valuesOf(taken: readonly Measurement[], field: string): readonly number[] {
  return taken.map((sample) => sample[field] ?? 0);
}

function variantOf(name: string): Variant {
  const variant = variants.find((known) => known === name);
  if (variant === undefined) throw new Error(`unknown variant: ${name}`);
  return variant;
}
