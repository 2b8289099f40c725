// Legacy paths and the canonical paths they stand for.

export type Alias = {
  /** Path with {names}; a trailing {rest} takes everything below. */
  readonly from: `/${string}`;
  readonly to: `/v1/${string}`;
};

export const aliases: readonly Alias[] = Object.freeze([
  { from: '/api/v1/{rest}', to: '/v1/{rest}' },
  { from: '/v1/market', to: '/v1/markets' },
  { from: '/v1/market/{market_id}', to: '/v1/markets/{market_id}' },
  { from: '/v1/order', to: '/v1/orders' },
  { from: '/v1/order/{order_id}', to: '/v1/orders/{order_id}' },
  { from: '/v1/book/{market_id}', to: '/v1/orderbook/{market_id}' },
  { from: '/v1/positions', to: '/v1/account/positions' },
  { from: '/v1/fills', to: '/v1/account/trades' },
]);

/**
 * The canonical path of an alias, or null if the path is none. Works on the path alone, without the
 * query, and never decodes it: what was escaped stays escaped.
 */
export function canonicalPath(path: string): string | null {
  let current = path;
  // One alias may lead to another (/api/v1/market/x), but no alias leads to itself, so this ends.
  for (const alias of aliases) current = applyAlias(alias, current) ?? current;
  return current === path ? null : current;
}

function applyAlias(alias: Alias, path: string): string | null {
  const open = alias.from.indexOf('{');
  if (open === -1) return path === alias.from ? alias.to : null;
  const prefix = alias.from.slice(0, open);
  const value = path.slice(prefix.length);
  if (!path.startsWith(prefix) || value === '') return null;
  if (!alias.from.endsWith('{rest}') && value.includes('/')) return null;
  return alias.to.slice(0, alias.to.indexOf('{')) + value;
}
