import { expect, it } from 'vitest';
import { translate } from '../texts/texts.ts';
import { type Restriction, restrictionSentences, restrictionTexts } from './restriction-texts.ts';

const gate = (code: string, ruleId: string, operation: string): Restriction => ({
  ...{ code, rule_id: ruleId, operations: [operation], reason: `because of ${ruleId}` },
  ...{ lifted_by: 'operator', until_ms: null },
});

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
