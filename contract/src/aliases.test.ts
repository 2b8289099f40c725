// Checks the legacy paths.

import { describe, expect, it } from 'vitest';
import { aliases, canonicalPath } from './aliases.ts';
import { operations } from './operations/all.ts';

describe('aliases', () => {
  it.each([
    ['/api/v1/markets', '/v1/markets'],
    ['/api/v1/account/orders', '/v1/account/orders'],
    ['/v1/market/m_0123456789abcdef', '/v1/markets/m_0123456789abcdef'],
    ['/v1/order', '/v1/orders'],
    ['/v1/order/ord_1', '/v1/orders/ord_1'],
    ['/v1/order/coid%3Aa%2Fb', '/v1/orders/coid%3Aa%2Fb'],
    ['/v1/book/m_0123456789abcdef', '/v1/orderbook/m_0123456789abcdef'],
    ['/v1/positions', '/v1/account/positions'],
    ['/v1/fills', '/v1/account/trades'],
    ['/api/v1/book/m_0123456789abcdef', '/v1/orderbook/m_0123456789abcdef'],
  ])('[CT15] %s stands for %s', (alias, canonical) => {
    expect(canonicalPath(alias)).toBe(canonical);
  });

  it.each([
    '/v1/markets',
    '/v1/orders/ord_1',
    '/v1/market/a/b',
    '/api/auth/login',
    '/api/v1/',
    '/v1/book/',
    '/',
  ])('[CT15] %s is no alias', (path) => {
    expect(canonicalPath(path)).toBeNull();
  });

  it('[CT15] no alias hides an operation, and each leads to one', () => {
    const paths = new Set<string>(Object.values(operations).map((operation) => operation.path));
    for (const { from, to } of aliases) {
      expect(paths.has(from)).toBe(false);
      if (to !== '/v1/{rest}') expect([to, paths.has(to)]).toEqual([to, true]);
    }
  });
});
