import { asAccountId } from '@sibyl/engine';
import { describe, expect, it } from 'vitest';
import { journaledNonce, nonceIn, requestIdIn } from './journaled-request.ts';

const KEY = 'sk_live_0123456789abcdef';
const OTHER = 'sk_test_fedcba9876543210';
const spent = { publicId: KEY, nonce: '1:sk_live_:~' };
const accountId = asAccountId('acc_1');

describe('[HM5] a nonce in the journal', () => {
  it.each([
    ['the key that acts', { kind: 'account', accountId, keyId: KEY }, `acc_1 ${KEY}`],
    ['another one', { kind: 'account', accountId, keyId: OTHER }, `acc_1 ${OTHER}`],
    ['none that acts', { kind: 'account', accountId, keyId: null }, 'acc_1'],
  ] as const)('is read as it was written, with the key that it is of: %s', (_of, actor, text) => {
    const requestId = `req_1 ${journaledNonce(spent, actor)}`;
    expect(requestIdIn(requestId)).toBe('req_1');
    expect(nonceIn({ requestId, actor: text })).toEqual(spent);
  });

  it('is read as it was written before the key that acts was left out', () => {
    const requestId = `req_1 ${KEY} ${spent.nonce}`;
    expect(nonceIn({ requestId, actor: `acc_1 ${KEY}` })).toEqual(spent);
    expect(requestIdIn(requestId)).toBe('req_1');
  });

  it('is none where the request was not signed', () => {
    expect(journaledNonce(null, { kind: 'system' })).toBeNull();
    expect(nonceIn({ requestId: 'req_1', actor: `acc_1 ${KEY}` })).toBeNull();
    expect(nonceIn({ requestId: 'req_1 nonce', actor: 'system' })).toBeNull();
  });
});
