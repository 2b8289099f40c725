// What waits for operators, as it is announced: by mail to whom OPERATOR_MAIL names, and to everybody where it concerns a market.
import { type AnyOperation, operatorOperations } from '@sibyl/contract';
import type { WithdrawalRecord } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { SmtpMail } from '../../src/adapters/node/smtp-mail.ts';
import { payoutOf } from '../../src/custody/payout.ts';
import { announcementOf } from '../../src/mail/announcement.ts';
import { OperatorMail } from '../../src/mail/operator-mail.ts';
import { AnnouncedMarkets } from '../../src/operator/announced-markets.ts';
import { newOperator } from '../../src/operator/new-operator.ts';
import { quickPasswords } from '../gateway/harness.ts';
import { Mailbox } from '../mailbox.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';

const DAY_MS = 86_400_000;
const DUTY = 'duty@example.com';
const BOARD = 'board@example.com';
const why = { reason: 'the source was wrong' };

let harness: OperatorHarness;
let mailbox: Mailbox;
let mail: SmtpMail;
const failures: string[] = [];

beforeEach(async () => {
  failures.length = 0;
  harness = await openOperator('live');
  mailbox = await Mailbox.open();
  mail = new SmtpMail({ url: mailbox.url, from: 'no-reply@sibyl.example' });
});
afterEach(async () => {
  await mail.close();
  await mailbox.close();
  await harness.close();
});

function toOperators(): OperatorMail {
  const { platform, clock, operators, lane } = harness;
  const failed = (message: string): void => void failures.push(message);
  const told = { operators, lanes: { live: lane }, platform, clock };
  return new OperatorMail({ mail, addresses: [DUTY, BOARD], failed, ...told });
}

/** Asks for the end of a market of its own. */
async function asked(act: 'cancel' | 'ruling' | 'resolution', more: object) {
  const params = { question: 'Did it rain?', closes_at_ms: harness.clock.wallMs() + DAY_MS };
  const marketId = await harness.market('own-question', params);
  const body = { ...why, ...more, lane: 'live' };
  const answer = await harness.post(`/markets/${marketId}/${act}`, body);
  return { marketId, ...answer.json().data } as Record<string, string>;
}

const ANSWER = { winning_outcome_id: 'yes', evidence: ['https://example.com/result'] };

it('[OP63] every act that waits is mailed once to each address, over a server of mail that is away and over a start', async () => {
  mailbox.refusals = 2;
  const { approval_id: id, marketId } = await asked('resolution', ANSWER);
  const first = toOperators();
  first.wake();
  await first.settled();
  expect(failures).toEqual(['what waits for operators was not mailed yet']);
  await vi.waitUntil(async () => {
    harness.clock.advance(60_000);
    await first.settled();
    return mailbox.count(DUTY) + mailbox.count(BOARD) === 2;
  });
  const letter = await mailbox.letter(DUTY);
  expect(letter).toContain(`sibyl admin queue show ${id}`);
  expect(letter).toContain('may confirm it alone from');
  expect(letter).toContain('Asked for by the operator token: Propose an answer, live');
  const fields = [
    `Reason: ${why.reason}`,
    'Market: Did it rain?',
    `Market id: ${marketId}`,
    'Winning outcome id: yes',
    'Evidence: https://example.com/result',
  ];
  for (const field of fields) expect(letter).toContain(`\n  ${field}\r`);
  expect(letter).not.toMatch(/[{}]/);
  await first.close();
  const second = toOperators();
  second.wake();
  await second.settled();
  const another = await asked('resolution', ANSWER);
  second.wake();
  expect(await mailbox.letter(DUTY, 1)).toContain(another.approval_id);
  await second.settled();
  expect([mailbox.count(DUTY), mailbox.count(BOARD)]).toEqual([2, 2]);
  expect(failures).toHaveLength(1);
  await second.close();
});

it('[OP82] the loss of an operator who could approve is mailed once to each address', async () => {
  const { operators, clock } = harness;
  const own = { passwords: quickPasswords, random: systemRandom, clock };
  for (const [name, roles] of [
    ['ada', ['admin']],
    ['bea', ['treasurer', 'support']],
    ['cleo', ['support']],
  ] as const) {
    const made = await newOperator(own, name, [...roles]);
    await operators.addOperator(made!.operator);
  }
  const idOf = async (name: string) => (await operators.operatorByName(name))!.operatorId;
  await operators.setRoles(await idOf('bea'), ['support'], clock.wallMs());
  await operators.disableOperator(await idOf('cleo'), clock.wallMs());
  for (const round of [toOperators(), toOperators()]) {
    round.wake();
    await round.settled();
    await round.close();
  }
  expect([mailbox.count(DUTY), mailbox.count(BOARD)]).toEqual([1, 1]);
  const letter = await mailbox.letter(DUTY);
  expect(letter).toContain('The operator bea lost a role at');
  expect(letter).toContain('Roles before: treasurer, support.');
});

it('[OP63] names operators, folds what could look like lines of the letter, and waits for no lane', async () => {
  const { operators, clock } = harness;
  const own = { passwords: quickPasswords, random: systemRandom, clock };
  const made = await newOperator(own, 'ada', ['admin']);
  await operators.addOperator(made!.operator);
  await asked('resolution', ANSWER);
  const [waiting] = await operators.approvals.list('waiting', 1);
  const { operatorId } = made!.operator;
  const body = { lane: 'live', roles: ['admin', 'support'] };
  const approval = {
    ...waiting!,
    operation: 'setOperatorRoles',
    input: JSON.stringify({ params: { operator_id: operatorId, market_id: 'm_0' }, body }),
    reason: 'more hands\n\nIt was agreed to.',
    proposedBy: operatorId,
  };
  const stopped = { read: () => Promise.reject(new Error('stopped')) };
  const { text } = await announcementOf(approval, { operators, lanes: { live: stopped } });
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^Asked for by ada: /);
  expect(lines).toEqual(expect.arrayContaining(['  Operator: ada', '  Roles: admin, support']));
  expect(lines).toContain('  Reason: more hands It was agreed to.');
});

it('[OP63] no act that may wait asks for a secret, so that no letter has one', () => {
  const waiting = Object.values<AnyOperation>(operatorOperations).filter(
    ({ approval }) => approval !== 'never',
  );
  expect(waiting.length).toBeGreaterThan(0);
  const names = waiting.flatMap(({ input: { params, body } }) =>
    [params, body].flatMap((part) => Object.keys(part?.properties ?? {})),
  );
  expect(names.filter((name) => /password|secret|token|otp|recovery/.test(name))).toEqual([]);
});

it('[OP76] a payout that waits to be made by hand is mailed once to each address, over starts, and never after it was taken up', async () => {
  const due = async (): Promise<WithdrawalRecord> => {
    const where = { custody: 'local', destination: 'DE89 3704', hold: null };
    const amount = usdt(40_000_000n);
    const { answer } = await harness.submit({
      ...{ type: 'withdraw', accountId: trader, amount, ...where },
    });
    if (!answer.ok || answer.result.kind !== 'withdrawal') throw new Error('no withdrawal');
    return answer.result.withdrawal;
  };
  const [one, other] = [await due(), await due()];
  const first = toOperators();
  mailbox.refusals = 1;
  for (const each of [one, one, other]) first.payoutDue(payoutOf(each));
  await vi.waitUntil(async () => {
    harness.clock.advance(60_000);
    await first.settled();
    return mailbox.count(DUTY) + mailbox.count(BOARD) === 4;
  });
  const letter = await mailbox.letter(DUTY);
  expect(letter).toContain('Amount: 40.000000 USDT');
  expect(letter).toContain('Destination: DE89 3704');
  expect(letter).toContain(`sibyl admin withdrawals take ${one.withdrawalId}`);
  await first.close();
  const late = await due();
  const nothing = { reference: null, reason: null };
  const { withdrawalId } = late;
  await harness.submit({ type: 'advance_withdrawal', withdrawalId, step: 'send', ...nothing });
  const second = toOperators();
  // An act is told meanwhile, which forgets nothing of the payouts.
  await asked('resolution', ANSWER);
  second.wake();
  for (const each of [one, other, late]) second.payoutDue(payoutOf(each));
  await second.settled();
  expect([mailbox.count(DUTY), mailbox.count(BOARD)]).toEqual([3, 3]);
  await second.close();
});

it('[OP64] what one operator alone intends to do to a market of live is told everybody as long as it waits', async () => {
  const { operators, clock } = harness;
  const markets = new AnnouncedMarkets(operators.approvals, clock);
  expect(await markets.current()).toEqual([]);
  const { marketId, approval_id: id } = await asked('resolution', ANSWER);
  clock.advance(5_000);
  const from = {
    announcedAtMs: clock.wallMs() - 5_000,
    possibleFromMs: clock.wallMs() - 5_000 + DAY_MS,
  };
  expect(await markets.current()).toEqual([{ act: 'answer', marketId, ...from }]);
  await operators.approvals.end(String(id), 'rejected', { by: 'ada', reason: 'no', atMs: 0 });
  clock.advance(5_000);
  expect(await markets.current()).toEqual([]);
  // Where two could agree they decide, and nobody is told before.
  for (const name of ['ada', 'bea']) {
    const made = await newOperator(
      { passwords: quickPasswords, random: systemRandom, clock },
      name,
      ['market_manager'],
    );
    await operators.addOperator(made!.operator);
  }
  expect(await asked('resolution', ANSWER)).toMatchObject({ confirmable_at: null });
  clock.advance(5_000);
  expect(await markets.current()).toEqual([]);
});
