import { expect, it } from 'vitest';
import { dateTime } from '../format/times.ts';
import { translate } from '../texts/texts.ts';
import { type Restriction, restrictionSentences, restrictionTexts } from './restriction-texts.ts';

const gate = (code: string, ruleId: string, operation: string): Restriction => ({
  ...{ code, rule_id: ruleId, operations: [operation], reason: `because of ${ruleId}` },
  ...{ lifted_by: 'operator', until_ms: null },
});

it.each(['en', 'de', 'es', 'zh'] as const)(
  '[WA1] says in %s until when a password that was reset by hand holds trading',
  (locale) => {
    const held = {
      ...gate('COMPLIANCE_GATE_BLOCKED', 'password_reset', 'trade'),
      until_ms: 1_794_744_000_000,
    };
    const say: Parameters<typeof restrictionSentences>[0] = (key, values) =>
      translate(locale, restrictionTexts[key], values);
    const [said] = restrictionSentences(say, locale, [held]);
    expect(said).toContain(dateTime(locale, held.until_ms));
  },
);

it('[WA1] says a restriction once, however many rules have the same to say', () => {
  const said = restrictionSentences((key) => translate('en', restrictionTexts[key]), 'en', [
    gate('JURISDICTION_BLOCKED', 'list-a', 'trade'),
    gate('TIER_UPGRADE_REQUIRED', 'tier', 'create_market'),
    gate('JURISDICTION_BLOCKED', 'list-b', 'withdraw'),
    gate('SUBACCOUNT_FROZEN', 'one', 'trade'),
    gate('SUBACCOUNT_FROZEN', 'other', 'trade'),
  ]);
  expect(said).toEqual([
    restrictionTexts.jurisdiction.en,
    restrictionTexts.needsTier.en,
    // What operators wrote are two reasons.
    `${restrictionTexts.frozen.en} because of one`,
    `${restrictionTexts.frozen.en} because of other`,
  ]);
});
