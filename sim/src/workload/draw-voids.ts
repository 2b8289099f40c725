// Cancellations as operators propose and confirm them, with the payout that a preview showed, and with another.
import type { CommandOf } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import type { Body } from './draw-lifecycle.ts';
import type { KnownMarket, View } from './view.ts';

type ProposeVoid = CommandOf<'propose_void'>;
type Window = ProposeVoid['window'];

/** What a market would pay, or null if that is refused. */
export interface Preview {
  one(marketId: string, window: Window, excluded: readonly string[]): readonly number[] | null;
  /** As a round of a batch, whose prices end there. */
  round(marketId: string, toMs: number): readonly number[] | null;
}

export function drawVoid(
  random: Prng,
  view: View,
  market: KnownMarket,
  preview: Preview,
): Extract<Body, { type: 'propose_void' }> {
  const window = random.chance(1, 2) ? drawWindow(random, view, market) : null;
  const excluded = random.chance(1, 5) ? [random.pick(market.outcomes)] : [];
  return {
    type: 'propose_void',
    marketId: market.id,
    ...drawReasons(random),
    window,
    excluded: random.chance(1, 40) ? [...excluded, 'nothing'] : excluded,
    expected: drawExpected(random, market, preview.one(market.id, window, excluded)),
  };
}

/** Markets of one template that are locked or halted, and now and then others among them. */
export function drawVoidRounds(
  random: Prng,
  view: View,
  markets: readonly KnownMarket[],
  preview: Preview,
): Extract<Body, { type: 'propose_void_rounds' }> {
  const fast = markets.filter(({ template }) => template.roundConfig !== null);
  const first = random.pick(fast.length > 0 && random.chance(9, 10) ? fast : markets);
  const alike = markets.filter(
    ({ template }) => template.id === first.template.id || random.chance(1, 20),
  );
  const toMs = view.nowMs - random.pick([0, 1000, 60_000, 600_000]);
  const rounds = alike.slice(0, random.between(1, 4)).map((market) => ({
    marketId: market.id,
    expected: drawExpected(random, market, preview.round(market.id, toMs)),
  }));
  return { type: 'propose_void_rounds', rounds, ...drawReasons(random), toMs };
}

function drawReasons(random: Prng): Pick<ProposeVoid, 'cause' | 'reason' | 'evidence'> {
  return {
    cause: random.pick(['event', 'question', 'source', 'other'] as const),
    reason: random.chance(1, 30) ? 'x'.repeat(random.pick([0, 1000, 1001])) : 'called off',
    evidence: random.chance(1, 20) ? [] : ['https://example.org/notice'],
  };
}

/** Of the market's whole life, or of its latest time, and now and then of a time to come. */
function drawWindow(random: Prng, view: View, market: KnownMarket): Window {
  const stopMs = Math.min(view.nowMs, market.locksAtMs);
  const toMs = stopMs - random.pick([0, 0, random.between(0, 3_600_000), -60_000]);
  const lengthMs = random.pick([
    toMs - market.opensAtMs,
    random.between(0, 3_600_000),
    random.between(0, 86_400_000),
    7 * 86_400_000,
  ]);
  return { fromMs: toMs - lengthMs, toMs };
}

/** Mostly what the preview shows; now and then off by a pip. */
function drawExpected(
  random: Prng,
  market: KnownMarket,
  shown: readonly number[] | null,
): readonly number[] {
  const expected = shown ?? market.outcomes.map((_, index) => (index === 0 ? 10_000 : 0));
  if (!random.chance(1, 10)) return expected;
  const more = random.chance(1, 2) ? 1 : -1;
  return expected.map((pips, index) => pips + (index === 0 ? more : index === 1 ? -more : 0));
}
