// Every operation that rules can stop has a code to be stopped with.
import { complianceGroups, type ErrorCode, operations } from '@sibyl/contract';
import { describe, expect, it } from 'vitest';
import { restrictionOf } from './restriction.ts';

const CODES: readonly ErrorCode[] = [
  'JURISDICTION_BLOCKED',
  'SANCTIONS_HIT',
  'COMPLIANCE_GATE_BLOCKED',
  'ANTI_ABUSE_BLOCKED',
  'TIER_UPGRADE_REQUIRED',
];

/** Of those who have no account yet only the country is known. */
const ofStrangers = ['register', 'mintSandboxKey'];

/** Nothing is traded by them: who may not trade for good neither applies nor lets others trade. */
const withoutTrades = ['applyForTrack', 'createGrant'] as const;

/** What stops the operation, if everything is forbidden with each code by itself. */
function stopping(operation: (typeof operations)[keyof typeof operations]): readonly ErrorCode[] {
  const rest = { ruleId: 'all', operations: complianceGroups, reason: '', details: {} };
  return CODES.filter(
    (code) => restrictionOf(operation, [{ code, liftedBy: 'operator', ...rest }]) !== null,
  );
}

describe('[CP3] an operation that one code of compliance stops', () => {
  const gated = Object.values(operations).filter(
    (operation) =>
      ![...ofStrangers, ...withoutTrades].includes(operation.id) && stopping(operation).length > 0,
  );

  it('is one of those that trade, create markets, open subaccounts or withdraw', () => {
    expect(gated.map(({ id }) => id).sort()).toEqual([
      'amendOrder',
      'batchOrders',
      'convertPosition',
      'createMarket',
      'createSubaccount',
      'createWithdrawal',
      'placeOrder',
    ]);
  });

  it.each(gated)('$id is stopped by every other', (operation) => {
    expect(stopping(operation)).toEqual(CODES);
  });

  it.each(withoutTrades)('%s is stopped by a country, a list or a gate', (id) => {
    expect(stopping(operations[id])).toEqual(CODES.slice(0, 3));
  });

  it.each(ofStrangers)('%s is stopped by the country', (id) => {
    const operation = Object.values(operations).find((one) => one.id === id);
    expect(operation && stopping(operation)).toContain('JURISDICTION_BLOCKED');
  });
});
