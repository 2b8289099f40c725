import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, WithdrawalKills } from './withdrawal-kills.ts';

let run: WithdrawalKills;
beforeAll(async () => {
  run = await WithdrawalKills.open();
});
afterAll(() => run?.close());

const paid = { state: 'completed', payments: 1 };
const returned = { state: 'failed', payments: 0 };

/** What the custody does, when the server is killed, and how it must end. */
const cases: readonly (Case & { readonly end: object })[] = [
  { mood: 'pays', moment: 'asking', end: paid },
  { mood: 'pays', moment: 'asked', end: paid },
  { mood: 'hangs', moment: 'heard', end: paid },
  { mood: 'pays and hangs', moment: 'heard', end: paid },
  { mood: 'pays', moment: 'answered', end: paid },
  { mood: 'refuses', moment: 'heard', end: returned },
  { mood: 'refuses', moment: 'answered', end: returned },
  { mood: 'refuses', moment: 'never', end: returned },
  { mood: 'fails', moment: 'never', end: paid },
  { mood: 'pays and breaks off', moment: 'never', end: paid },
  { mood: 'is undecided', moment: 'heard', end: paid },
  { mood: 'answers twice', moment: 'never', end: paid },
  { mood: 'answers late', moment: 'never', end: paid },
];

const agreed = {
  balanced: true,
  sum: '0.000000',
  custody: { state: 'agrees', difference: '0.000000' },
};

describe('withdrawals of a server that is killed', () => {
  it.each(cases)(
    '[CU2] the custody $mood, killed: $moment; paid once or given back, and the books agree',
    async ({ end, ...how }) => {
      expect(await run.play(how)).toEqual(end);
      expect(await run.settled()).toMatchObject(agreed);
    },
  );
});

it('[CU21] somebody leaves while money comes, killed: it is there, or was refused and the account is closed', async () => {
  const { money, closing } = await run.leave(12);
  expect(['ok', 'NOT_FOUND']).toContain(money);
  // Closed before the kill, or when it was asked for again.
  expect(money === 'ok' ? ['STATE_CONFLICT'] : ['ok', 'AUTH_INVALID']).toContain(closing);
  expect(await run.settled()).toMatchObject(agreed);
});

describe('deposits of a server that is killed', () => {
  // Before the report is read, while it is booked, and after it was answered, as the machine goes.
  it.each([0, 3, 12])(
    '[CU10] killed %i ms after the report was sent: told again, it is credited once',
    async (killAfterMs) => {
      expect(await run.receive(killAfterMs)).toEqual({ state: 'confirmed' });
      expect(await run.settled()).toMatchObject(agreed);
    },
  );
});
