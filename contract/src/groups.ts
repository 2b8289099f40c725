// The groups of operations, with the sentence the reference shows for each.

export const groups = Object.freeze({
  System: 'Is the service up.',
  Markets: 'Markets, prices, books and the public tape. No credential needed.',
  Composer: 'Templates, and markets made from them.',
  Account: 'What you own and what you did.',
  Orders: 'Place, preview, amend and cancel.',
  Keys: 'API keys: mint, list and revoke.',
  Sandbox: 'Faucet, reset and mock oracle, where the money is fake.',
  Builders: 'Who builds on the exchange: applications, tiers and their limits.',
  Apps: 'Apps that act for others: register, review, secrets and widget keys.',
  Connect: 'OAuth 2.1: codes and tokens of apps, and what you have allowed whom.',
  Liquidity: 'Fees, rebates and liquidity.',
  Portfolio: 'Balance, statement and complete sets.',
  Attribution: 'What your apps brought.',
  Revenue: 'What you earned by the fees of others.',
  Subaccounts: 'Accounts beside your own, with money and orders apart.',
  Webhooks: 'Events sent to your own address, signed and retried.',
  Developers: 'The log of your own requests, for the pages of developers.',
  Sessions: 'Companion calls of the page; machines use keys.',
  Operator: 'The operator plane, on a listener of its own.',
});
export type Group = keyof typeof groups;
