// What operations of one kind share, whatever group they are in.

/** Everybody may ask, with or without a credential. */
export const publicRead = {
  method: 'GET',
  auth: 'public',
  permission: null,
  scope: 'markets:read',
  rate: 'read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  counted: true,
  since: '0.2',
} as const;

/** What the caller has or did. */
export const ownRead = {
  method: 'GET',
  auth: 'credential',
  permission: 'read',
  scope: 'account:read',
  rate: 'account_read',
  idempotency: 'none',
  readOnlyMode: 'allowed',
  counted: true,
  since: '0.2',
} as const;

/** Orders, one or many. */
export const trade = {
  group: 'Orders',
  auth: 'credential',
  permission: 'trade',
  scope: 'orders:trade',
  rate: 'trade',
  counted: true,
  since: '0.2',
  list: false,
} as const;
