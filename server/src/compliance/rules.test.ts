// What rules restrict whom in.
import { describe, expect, it } from 'vitest';
import { foldExact, foldName } from './folding.ts';
import { type Person, RuleBook } from './rules.ts';

const ANN: Person = { name: null, email: null, wallet: null, country: null, tier: 'self_serve' };

const codes = (book: RuleBook, person: Partial<Person>, lane: 'live' | 'sandbox' = 'live') =>
  book.restrictionsOf({ ...ANN, ...person })[lane].map(({ code, ruleId }) => `${code} ${ruleId}`);

describe('[CP1] rules of compliance', () => {
  it('restrict nobody where there are none', () => {
    expect(codes(new RuleBook({}), { country: 'KP', name: 'Anybody' })).toEqual([]);
  });

  it('name countries for operations and lanes, the live one unless told', () => {
    const book = new RuleBook({
      jurisdictions: [
        { id: 'all', countries: ['AQ'] },
        { id: 'play', countries: ['BV'], lanes: ['sandbox'], operations: ['trade'] },
      ],
    });
    expect(codes(book, { country: 'AQ' })).toEqual(['JURISDICTION_BLOCKED all']);
    expect(codes(book, { country: 'AQ' }, 'sandbox')).toEqual([]);
    expect(codes(book, { country: 'BV' }, 'sandbox')).toEqual(['JURISDICTION_BLOCKED play']);
    expect(codes(book, { country: null })).toEqual([]);
    const { sandbox } = book.restrictionsOf({ ...ANN, country: 'BV' });
    expect(sandbox[0]?.operations).toEqual(['trade']);
  });

  it('match names by their words, e-mails and wallets exactly, after folding', () => {
    const book = new RuleBook({
      sanctions: [
        {
          id: 'list',
          names: ['José María Müller-Łoś'],
          emails: ['Bad@Example.com'],
          wallets: ['0xABCdef'],
          countries: ['XX'],
        },
      ],
    });
    const hit = ['SANCTIONS_HIT list'];
    expect(codes(book, { name: 'muller łoś, JOSE maria' })).toEqual(hit);
    expect(codes(book, { email: ' bad@example.COM ' })).toEqual(hit);
    expect(codes(book, { wallet: '0xabcDEF' })).toEqual(hit);
    expect(codes(book, { country: 'XX' })).toEqual(hit);
    // The limits: another spelling, a further word or a missing one is another name.
    for (const name of ['Jose Maria Mueller Los', 'Jose Muller Łoś', 'Jose Maria K Muller Łoś']) {
      expect(codes(book, { name })).toEqual([]);
    }
    expect(codes(book, { email: 'bad@example.com.evil' })).toEqual([]);
    expect(foldName('—')).toBe('');
    expect(foldExact(' A ')).toBe('a');
  });

  it('ask for a country and a tier', () => {
    const book = new RuleBook({
      gates: [
        { id: 'country', country: true, operations: ['trade'] },
        { id: 'tier', tier_min: 'trade_capped', operations: ['withdraw'] },
      ],
    });
    expect(codes(book, {})).toEqual([
      'COMPLIANCE_GATE_BLOCKED country',
      'TIER_UPGRADE_REQUIRED tier',
    ]);
    expect(codes(book, { country: 'PT', tier: 'trade_capped' })).toEqual([]);
    expect(codes(book, { country: 'PT', tier: 'genesis' })).toEqual([]);
    const [, tier] = book.restrictionsOf(ANN).live;
    expect(tier?.details).toEqual({ tier: 'self_serve', required_tier: 'trade_capped' });
  });

  it('give the gravest first', () => {
    const book = new RuleBook({
      gates: [{ id: 'g', tier_min: 'genesis' }],
      jurisdictions: [{ id: 'j', countries: ['AQ'] }],
      sanctions: [{ id: 's', countries: ['AQ'] }],
    });
    const found = codes(book, { country: 'AQ' });
    expect(found).toEqual(['SANCTIONS_HIT s', 'JURISDICTION_BLOCKED j', 'TIER_UPGRADE_REQUIRED g']);
  });
});
