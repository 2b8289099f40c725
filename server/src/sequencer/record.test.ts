import {
  apply,
  createState,
  DEFAULT_PARAMETERS,
  decodeCommand,
  encodeCommand,
  type Outcome,
} from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { command, drawFrom, openMarket } from '../../test/faults/workload.ts';
import { outcomeText } from './outcome-text.ts';
import { commandOf } from './submission.ts';

/** Outcomes of every kind that the stream of the fault tests comes to. */
async function outcomes(count: number): Promise<Outcome[]> {
  const state = createState('live', DEFAULT_PARAMETERS);
  const seen: Outcome[] = [];
  const run = (submission: Parameters<typeof commandOf>[0]): Outcome => {
    const outcome = apply(
      state,
      commandOf(submission, state.seq + 1, 1_700_000_000_000 + state.seq),
    );
    seen.push(outcome);
    return outcome;
  };
  const marketId = await openMarket(async (submission) => run(submission).answer);
  const draw = drawFrom(4);
  for (let index = 0; index < count; index++) run(command(draw, `${index}`, marketId));
  run(command(drawFrom(4), '0', marketId));
  return seen;
}

/** Every copy of the value with exactly one leaf changed; a shared object stays shared. */
function* altered(value: unknown, set: (changed: unknown) => unknown): Generator<unknown> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      yield* altered(field, (changed) =>
        set(
          Array.isArray(value)
            ? value.map((old, index) => (`${index}` === name ? changed : old))
            : { ...value, [name]: changed },
        ),
      );
    }
    return;
  }
  if (typeof value === 'string') yield set(`${value}x`);
  else if (typeof value === 'number') yield set(value + 1);
  else if (typeof value === 'bigint') yield set(value + 1n);
  else if (typeof value === 'boolean') yield set(!value);
  else yield set('x');
}

describe('record', () => {
  it('[P3] the outcome’s text changes with every single field of it', async () => {
    let changes = 0;
    const kinds = new Set<string>();
    const blind: unknown[] = [];
    for (const outcome of await outcomes(60)) {
      for (const { type } of outcome.events) kinds.add(type);
      // Events by themselves: beside an answer that shares its order with them, any change would show.
      for (const whole of [
        outcome,
        { ...outcome, answer: { ok: true, result: { kind: 'done' } } } as const,
      ]) {
        const text = outcomeText(whole);
        for (const changed of altered(whole, (made) => made)) {
          if (outcomeText(changed as Outcome) === text) blind.push(changed);
          changes += 1;
        }
      }
    }
    expect(blind).toEqual([]);
    expect(changes).toBeGreaterThan(5000);
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining([
        'ledger_posted',
        'order_cancelled',
        'order_placed',
        'trade_executed',
      ]),
    );
  });

  it('[P3] a batch’s text changes with every field and with the order of its items', async () => {
    const seen = await outcomes(60);
    const items = seen.filter(
      ({ answer }) => answer.ok === false || answer.result.kind === 'order',
    );
    const batch: Outcome = {
      ...seen[0]!,
      events: items.flatMap(({ events }) => events),
      answer: { ok: true, result: { kind: 'batch', items: items.map(({ answer }) => answer) } },
    };
    const text = outcomeText(batch);
    expect(text).toContain(' placed ');
    const blind: unknown[] = [];
    for (const changed of altered(batch, (made) => made)) {
      if (outcomeText(changed as Outcome) === text) blind.push(changed);
    }
    expect(blind).toEqual([]);
    const answers = items.map(({ answer }) => answer).toReversed();
    const reversed = { ok: true, result: { kind: 'batch', items: answers } } as const;
    expect(outcomeText({ ...batch, answer: reversed })).not.toBe(text);
  });

  it('[P3] the outcome’s text does not confuse neighbouring values', () => {
    const outcome = (details: Record<string, string>): Outcome => ({
      seq: 1,
      atMs: 1,
      events: [],
      answer: { ok: false, rejection: { code: 'CONFLICT', details } },
      replayed: false,
    });
    expect(outcomeText(outcome({ a: 'x', b: 'y' }))).not.toBe(
      outcomeText(outcome({ a: 'xb=1:y' })),
    );
    expect(outcomeText(outcome({ a: '' }))).not.toBe(outcomeText(outcome({ b: '' })));
  });

  it('[P3] a command comes back from its text as it was, amounts included', async () => {
    const submission = command(drawFrom(1), 'x', 'm_0123456789abcdef' as never);
    for (const body of [
      submission.body,
      { type: 'deposit', accountId: 'acc_a', amount: 2n ** 70n, reference: '{"$bigint":"1"}' },
    ]) {
      const sent = commandOf({ ...submission, body: body as never }, 7, 1_700_000_000_000);
      expect(decodeCommand(encodeCommand(sent))).toEqual(sent);
    }
  });
});
