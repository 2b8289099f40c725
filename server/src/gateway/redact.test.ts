import { operations } from '@sibyl/contract';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { redactorOf } from './redact.ts';

describe('personal data', () => {
  const data = Type.Object({
    name: Type.String(),
    email: Type.String(),
    rows: Type.Array(Type.Object({ ip: Type.String() })),
  });
  const value = {
    name: 'Ada',
    email: 'a@b.cc',
    rows: [{ ip: '192.0.2.1', ok: true }],
    open: { Phone: '1' },
  };

  it('[SP7] is stripped wherever it stands, and that is told', () => {
    const redact = redactorOf({ selfView: false, data })!;
    expect(redact(value)).toEqual({
      data: { name: 'Ada', rows: [{ ok: true }], open: {} },
      isStripped: true,
    });
    expect(redact({ name: 'Ada' })).toEqual({ data: { name: 'Ada' }, isStripped: false });
  });

  it('[SP7] is known by each of its names', () => {
    const open = Type.Unsafe<object>({ type: 'object', additionalProperties: true });
    const redact = redactorOf({ selfView: false, data: open })!;
    for (const name of ['email', 'phone', 'ip', 'last_login_ip', 'last_used_ip', 'Created_IP'])
      expect(redact({ [name]: 'x', kept: 1 })).toEqual({ data: { kept: 1 }, isStripped: true });
  });

  it('[SP7] is kept where the caller sees itself', () => {
    expect(redactorOf({ selfView: true, data })).toBeNull();
  });

  it('[SP7] is looked for where fields are open, and not where there can be none', () => {
    expect(
      redactorOf({
        selfView: false,
        data: Type.Unsafe({ type: 'object', additionalProperties: true }),
      }),
    ).not.toBeNull();
    // What an operator writes into chain_data is open.
    expect(redactorOf(operations.listTrades)).not.toBeNull();
    expect(redactorOf(operations.getOrderBook)).toBeNull();
    expect(redactorOf(operations.listCandles)).toBeNull();
  });
});
