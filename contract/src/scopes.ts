// Permissions of keys and scopes of OAuth tokens: what a credential may do.

/** What an API key may be allowed to do; a session has all three. */
export const permissions = ['read', 'trade', 'withdraw'] as const;
export type Permission = (typeof permissions)[number];

/** OAuth scopes, each with the sentence the consent page shows. */
export const scopes = Object.freeze({
  'markets:read': 'Read markets, prices and the public tape.',
  'account:read': 'Read your balance, positions, orders and fills.',
  'orders:trade': 'Place, change and cancel orders for you.',
  'positions:convert': 'Mint and merge complete sets for you.',
  'markets:create': 'Create markets with your balance as deposit.',
  'webhooks:manage': 'Register and change webhooks for you.',
  offline: 'Stay connected while you are away.',
});
export type Scope = keyof typeof scopes;

/** Partner keys may carry this scope beside the permissions; no OAuth app can ask for it. */
export const partnerScopes = ['delegation:trade'] as const;
export type PartnerScope = (typeof partnerScopes)[number];
