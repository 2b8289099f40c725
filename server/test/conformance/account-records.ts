// Requests of what an operator looks up: markets, templates and accounts, and what answers a complaint.
import type { Scene } from './scene.ts';
import type { Call, Person } from './world.ts';

type Builder = (scene: Scene, owner: Person) => Call | Promise<Call>;

const ofAccount: Builder = (_scene, { accountId }) => ({
  params: { account_id: accountId },
  query: { lane: 'sandbox' },
});

export const accountRecordRequests: Readonly<Record<string, Builder>> = {
  findUser: (_scene, { email }) => ({ query: { email } }),
  findAccounts: ({ owner }) => ({ query: { lane: 'sandbox', q: owner.accountId } }),
  findMarkets: () => ({ query: { lane: 'sandbox', limit: '1' } }),
  findTemplates: () => ({ query: { lane: 'sandbox' } }),
  findWithdrawals: () => ({ query: { limit: '1' } }),
  listAccountOrders: ofAccount,
  listAccountFills: ofAccount,
  listAccountLedger: ofAccount,
  listAccountDeposits: ofAccount,
  getUserAccess: async ({ world }) => {
    const body = { email: `${world.fresh('user')}@example.com`, password: 'plum otter ladder 47' };
    const { user_id: userId } = await world.data('register', { body });
    return { params: { user_id: String(userId) } };
  },
};
