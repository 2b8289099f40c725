// A request of every operation that succeeds when the owner sends it; each makes afresh what it uses up.
import { type AnyOperation, operations, operatorOperations } from '@sibyl/contract';
import { accountRecordRequests } from './account-records.ts';
import { builderRequests } from './builder-scene.ts';
import { HARMLESS_RULES, raisedFlag } from './compliance-scene.ts';
import { connectRequests } from './connect-scene.ts';
import { partnerKey } from './delegation-scene.ts';
import {
  mailedToken,
  newcomer,
  operatorWithSeed,
  operatorWithTotp,
  proofOf,
  resetToken,
  withOptions,
  withPasskey,
  withSeed,
  withTotp,
} from './enrolled.ts';
import { freshSession, type Scene } from './scene.ts';
import { PASSWORD } from './settings.ts';
import {
  addedDestination,
  destinationBody,
  duePayout,
  onWithdrawal,
  provedSession,
  takenPayout,
  waitingWithdrawal,
  withdrawalRequest,
} from './withdrawal-scene.ts';
import { ACT, type Call, type Person, resting } from './world.ts';

type Builder = (scene: Scene, owner: Person) => Call | Promise<Call>;

const ownToken: Builder = (_scene, { key }) => ({ token: key });
const open: Builder = () => ({ token: null });
const ofMarket =
  (query: Readonly<Record<string, string>> = {}): Builder =>
  ({ marketId }) => ({ params: { market_id: marketId }, query, token: null });
const onOrder =
  (more: Call = {}): Builder =>
  async ({ world, marketId }, owner) => ({
    token: owner.key,
    params: { order_id: await world.openOrder(owner, marketId) },
    ...more,
  });
/** The faucet and the reset are for an account whose state nobody counts on. */
const strangers: Builder = async ({ world }) => ({ token: await world.strangersKey() });
const onFreshMarket =
  (body: object = {}): Builder =>
  async ({ world }, owner) => ({
    params: { market_id: await world.market(owner) },
    body: { ...ACT, ...body },
  });
const PING = { event_type: 'webhook.ping' };
const onWebhook =
  (more: Call = {}): Builder =>
  async ({ world }, owner) => ({
    token: owner.key,
    params: { webhook_id: await world.webhook(owner) },
    ...more,
  });
const NO_LIMITS = { day: null, week: null, month: null };
const evidence = ['https://example.com/result'];

/** What the owner sends to succeed with an operation: its own request, or else its example in the market of the scene. */
export function requestFor(
  operation: AnyOperation,
  scene: Scene,
  owner: Person,
): Call | Promise<Call> {
  const build = requests[operation.id];
  if (build !== undefined) return build(scene, owner);
  const { params, query, body } = operation.example as Call;
  const here = (part: object): Readonly<Record<string, string>> => ({
    ...part,
    ...('market_id' in part ? { market_id: scene.marketId } : {}),
  });
  return {
    token: operation.auth === 'public' ? null : owner.key,
    ...(params === undefined ? {} : { params: here(params) }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: here(Object(body)) }),
  };
}

export const requests: Readonly<Record<string, Builder>> = {
  ...accountRecordRequests,
  ...builderRequests,
  ...connectRequests,
  getHealth: open,
  getStatus: open,
  listMarkets: () => ({ token: null, query: { limit: '1' } }),
  getMarket: ofMarket(),
  listCandles: ofMarket({ outcome_id: 'yes', interval: '1h', limit: '1' }),
  getCancellationPrice: ofMarket(),
  getOrderBook: ofMarket({ outcome_id: 'yes' }),
  listTrades: ofMarket({ limit: '1' }),
  listTemplates: () => ({ token: null, query: { limit: '1' } }),
  createMarket: ({ world }, { key }) => ({
    token: key,
    body: { template_id: 'own-question', params: world.question() },
  }),
  getAccount: ownToken,
  listPositions: (_scene, { key }) => ({ token: key, query: { limit: '1' } }),
  listOrders: (_scene, { key }) => ({ token: key, query: { limit: '1' } }),
  listFills: (_scene, { key }) => ({ token: key, query: { limit: '1' } }),
  placeOrder: ({ marketId }, { key }) => ({ token: key, body: resting(marketId) }),
  getOrder: onOrder(),
  amendOrder: onOrder({ body: { size: '1' } }),
  cancelOrder: onOrder(),
  batchOrders: ({ marketId }, { key }) => ({
    token: key,
    body: {
      items: [
        { action: 'place', order: resting(marketId) },
        { action: 'cancel', order_id: 'coid:none' },
      ],
    },
  }),
  cancelAllOrders: ({ marketId }, { key }) => ({ token: key, query: { market_id: marketId } }),
  heartbeat: (_scene, { key }) => ({ token: key, body: { timeout_ms: 300_000 } }),
  mintKey: async (scene, person) => {
    await dropSpareKeys(scene, person);
    return { token: person.key, body: { label: 'bot', permissions: ['trade'] } };
  },
  listKeys: (_scene, { key }) => ({ token: key, query: { limit: '1' } }),
  revokeKey: async (scene, person) => {
    await dropSpareKeys(scene, person);
    const key = await scene.world.mint(person.session, ['read']);
    return { token: person.key, params: { key_id: key.slice(0, 24) } };
  },
  drawSigningSecret: async ({ world }, { key }) => {
    const params = { key_id: key.slice(0, 24) };
    await world.data('setKeySigning', { params, body: { reason: 'conformance', enabled: true } });
    return { token: key, params };
  },
  mintSandboxKey: ({ world }) => ({ token: null, address: world.freshAddress() }),
  useFaucet: strangers,
  resetSandbox: strangers,
  settleWithMockOracle: async ({ world }, owner) => ({
    token: owner.key,
    body: { market_id: await world.market(owner), winning_outcome_id: 'yes' },
  }),
  getLqfConfig: open,
  getBalance: ownToken,
  getPortfolioSummary: (_scene, { key }) => ({ token: key, query: { range: 'all' } }),
  listLedger: (_scene, { key }) => ({ token: key, query: { limit: '1' } }),
  getAttribution: (_scene, { key }) => ({ token: key, query: { limit: '1' } }),
  getRevenue: (_scene, { key }) => ({ token: key, query: { group_by: 'fill', limit: '1' } }),
  convertPosition: ({ marketId }, { key }) => ({
    token: key,
    body: { action: 'mint', market_id: marketId, size: '1' },
  }),
  createSubaccount: async (scene, owner) => {
    await closeSpareSubaccounts(scene, owner);
    return { token: owner.key, body: { label: scene.world.fresh('label ') } };
  },
  listSubaccounts: async (scene, owner) => {
    await openSubaccount(scene, owner);
    await openSubaccount(scene, owner);
    return { token: owner.key, query: { limit: '1' } };
  },
  changeSubaccount: async (scene, owner) => ({
    token: owner.key,
    params: { subaccount_id: await openSubaccount(scene, owner) },
    body: { label: scene.world.fresh('label ') },
  }),
  transferFunds: async (scene, owner) => ({
    token: owner.key,
    body: { from: owner.accountId, to: await openSubaccount(scene, owner), amount: '1' },
  }),
  createWithdrawal: withdrawalRequest,
  listDestinations: (_scene, { session }) => ({ token: session }),
  addDestination: async (scene, owner) => ({
    token: await provedSession(scene, owner),
    body: destinationBody(scene),
  }),
  removeDestination: async (scene, owner) => ({
    token: owner.session,
    params: { destination_id: await addedDestination(scene, owner) },
  }),
  listWithdrawals: (_scene, { session }) => ({ token: session, query: { limit: '1' } }),
  listDeposits: (_scene, { session }) => ({ token: session, query: { limit: '1' } }),
  getWithdrawal: onWithdrawal,
  cancelWithdrawal: onWithdrawal,
  register: ({ world }) => ({
    token: null,
    body: { email: `${world.fresh('new')}@example.com`, password: 'plum otter ladder 47 quay' },
  }),
  getOwnLimits: (_scene, { session }) => ({ token: session }),
  setOwnLimits: (_scene, { session }) => ({
    token: session,
    body: { deposit: NO_LIMITS, loss: NO_LIMITS },
  }),
  // Somebody who does not trade, and shortly: whoever else is asked to do it trades again soon.
  excludeSelf: async ({ world }) => ({
    token: (await newcomer(world)).session,
    body: { until_ms: Date.now() + 3_000 },
  }),
  logIn: (_scene, { email, password }) => ({ token: null, body: { email, password } }),
  listRequests: async (scene, owner) => {
    await loggedRequest(scene, owner);
    await loggedRequest(scene, owner);
    return { token: owner.key, query: { limit: '1' } };
  },
  getRequestSummary: ownToken,
  getRequest: async (scene, owner) => ({
    token: owner.key,
    params: { request_id: await loggedRequest(scene, owner) },
  }),
  openDemo: ({ world }) => ({ token: null, address: world.freshAddress(), body: {} }),
  resumeSession: open,
  logOut: async ({ world }, owner) => ({ token: await freshSession(world, owner) }),
  changePassword: ({ changer }) => ({
    token: changer.session,
    body: { current_password: changer.password, new_password: changer.password },
  }),

  stepUp: (_scene, { session, password }) => ({ token: session, body: { password } }),
  listFactors: (_scene, { session }) => ({ token: session }),
  enrolTotp: async ({ world }) => ({ token: (await newcomer(world)).session }),
  confirmTotp: async ({ world }) => {
    const { session, otp } = await withSeed(world);
    return { token: session, body: { otp } };
  },
  removeTotp: async ({ world }) => ({ token: (await withTotp(world)).session }),
  renewRecoveryCodes: async ({ world }) => ({ token: (await withTotp(world)).session }),
  beginPasskey: async ({ world }) => ({ token: (await newcomer(world)).session }),
  addPasskey: async ({ world }) => {
    const { session, response } = await withOptions(world);
    return { token: session, body: { label: 'laptop', response } };
  },
  renamePasskey: async ({ world }) => {
    const { session, passkeyId } = await withPasskey(world);
    return { token: session, params: { passkey_id: passkeyId }, body: { label: 'desk' } };
  },
  removePasskey: async ({ world }) => {
    const { session, passkeyId } = await withPasskey(world);
    return { token: session, params: { passkey_id: passkeyId } };
  },
  askPasskey: open,
  logInWithPasskey: async ({ world }) => {
    const { passkey } = await withPasskey(world);
    return { token: null, body: { response: await proofOf(world, passkey) } };
  },
  getProfile: (_scene, { session }) => ({ token: session }),
  updateProfile: (_scene, { session }) => ({ token: session, body: { country: 'DE' } }),
  listSessions: (_scene, { session }) => ({ token: session }),
  endSession: async ({ world }, owner) => {
    const spare = await freshSession(world, owner);
    return { token: owner.session, params: { session_id: spare.slice(0, 20) } };
  },
  endOtherSessions: async ({ world }) => ({ token: (await newcomer(world)).session }),
  sendVerification: async ({ world }) => ({
    token: (await newcomer(world)).session,
    address: world.freshAddress(),
  }),
  confirmEmail: async ({ world }) => {
    const { email } = await newcomer(world);
    return { token: null, body: { token: await mailedToken(world, email) } };
  },
  requestPasswordReset: ({ world }) => ({
    token: null,
    address: world.freshAddress(),
    body: { email: `${world.fresh('nobody')}@example.com` },
  }),
  resetPassword: async ({ world }) => {
    const token = await resetToken(world, await newcomer(world));
    return { token: null, body: { token, new_password: PASSWORD } };
  },

  exportData: (_scene, { session }) => ({ token: session }),
  closeAccount: async ({ world }) => ({
    token: (await newcomer(world)).session,
    body: { password: PASSWORD },
  }),
  createWebhook: async ({ world }, owner) => {
    await world.dropWebhooks(owner);
    return { token: owner.key, body: world.webhookBody() };
  },
  listWebhooks: async ({ world }, owner) => {
    await world.webhook(owner);
    await world.data('createWebhook', { token: owner.key, body: world.webhookBody() });
    return { token: owner.key, query: { limit: '1' } };
  },
  updateWebhook: onWebhook({ body: { status: 'paused' } }),
  deleteWebhook: onWebhook(),
  rotateWebhookSecret: onWebhook(),
  listWebhookDeliveries: async (scene, owner) => {
    const call = await onWebhook({ query: { limit: '1' } })(scene, owner);
    const { params = {}, token = null } = call;
    const ping = { params, token, body: PING };
    await scene.world.data('replayWebhook', ping);
    await scene.world.data('replayWebhook', ping);
    return call;
  },
  replayWebhook: onWebhook({ body: PING }),

  openOperatorSession: ({ world }) => ({ token: null, body: world.prologue.operator }),
  getOperatorIdentity: () => ({}),
  closeOperatorSession: async ({ world }) => ({ token: await world.operatorSession() }),
  listOperatorSessions: () => ({}),
  endOperatorSession: async ({ world }) => {
    const token = await world.operatorSession();
    return { token, params: { session_id: token.slice(0, 20) } };
  },
  changeOperatorPassword: async ({ world }) => {
    const { password } = world.prologue.operator;
    const body = { current_password: password, new_password: password };
    return { token: await world.operatorSession(), body };
  },
  stepUpOperatorSession: async ({ world }) => ({
    token: await world.operatorSession(),
    body: { password: world.prologue.operator.password },
  }),
  getOperatorFactor: async ({ world }) => ({ token: await world.operatorSession() }),
  enrolOperatorTotp: async ({ world }) => ({ token: await world.operatorSession('viewer') }),
  confirmOperatorTotp: async ({ world }) => {
    const { session, otp } = await operatorWithSeed(world);
    return { token: session, body: { otp } };
  },
  removeOperatorTotp: async ({ world }) => ({ token: (await operatorWithTotp(world)).session }),
  renewOperatorRecoveryCodes: async ({ world }) => ({
    token: (await operatorWithTotp(world)).session,
  }),
  resetOperatorFactor: async ({ world }) => ({
    params: { operator_id: (await operatorWithTotp(world)).operatorId },
    body: { reason: 'conformance' },
  }),
  listApprovals: () => ({}),
  getApproval: async ({ world }) => ({ params: { approval_id: await world.approvalId() } }),
  approveAct: async ({ world }) => ({
    token: await world.operatorSession(),
    params: { approval_id: await world.approvalId() },
    body: { reason: 'conformance' },
  }),
  rejectAct: async ({ world }) => ({
    params: { approval_id: await world.approvalId() },
    body: { reason: 'conformance' },
  }),
  listTrail: () => ({ query: { limit: '1' } }),
  listOperators: () => ({}),
  addOperator: ({ world }) => ({ body: { reason: 'conformance', name: world.fresh('op-') } }),
  setOperatorRoles: async ({ world }) => ({
    params: { operator_id: await world.operatorId() },
    body: { reason: 'conformance', roles: ['support'] },
  }),
  setOperatorUser: async ({ world }) => ({
    params: { operator_id: await world.operatorId() },
    body: { reason: 'conformance', user_id: await newUser(world) },
  }),
  disableOperator: async ({ world }) => ({
    params: { operator_id: await world.operatorId() },
    body: { reason: 'conformance' },
  }),
  getUserScopes: async ({ world }) => ({ params: { user_id: await newUser(world) } }),
  createResetLink: async ({ world }) => ({
    params: { user_id: await newUser(world) },
    body: { reason: 'conformance' },
  }),
  createVerificationLink: async ({ world }) => ({
    params: { user_id: await newUser(world) },
    body: { reason: 'conformance' },
  }),
  removeUserFactors: async ({ world }) => ({
    params: { user_id: (await withTotp(world)).userId },
    body: { reason: 'conformance' },
  }),
  setUserScopes: async ({ world }) => ({
    params: { user_id: await newUser(world) },
    body: { reason: 'conformance', scopes: ['reviewer'] },
  }),
  // The lane without money: no mode of it disturbs the rest.
  setPlatformMode: () => ({ body: { ...ACT, lane: 'live', mode: 'normal' } }),
  // There is nothing to decide, so it only says that trading is on.
  decideClock: () => ({ body: { ...ACT, lane: 'live', decision: 'keep' } }),
  // An announcement of what is far off stops nothing.
  setMaintenance: () => ({
    body: { reason: 'conformance', phase: 'scheduled', starts_at_ms: Date.now() + 86_400_000 },
  }),
  allowLocalReceiver: (_scene, { accountId: account_id }) => ({
    body: { reason: 'conformance', account_id, address: '127.0.0.1', port: 4400, ttl_sec: 0 },
  }),
  getHistory: () => ({ query: { lane: 'sandbox' } }),
  getParameters: () => ({ query: { lane: 'sandbox' } }),
  getTierCeilings: () => ({}),
  // As they are, so that nobody's caps or quotas change.
  setTierCeilings: () => ({
    body: { reason: 'conformance', tier: 'partner', rate_multiplier: 20 },
  }),
  getRateQuotas: () => ({}),
  setRateQuota: () => ({
    body: { reason: 'conformance', holder: 'session', category: 'create', per_minute: 60 },
  }),
  getQueues: () => ({ query: { lane: 'sandbox' } }),
  getPlatform: () => ({}),
  listAlarms: () => ({}),
  listJobs: () => ({}),
  getSamples: () => ({ query: { after_ms: '0' } }),
  setParameters: () => ({ body: { ...ACT, part: 'quality', values: { look_orders_max: 5_000 } } }),
  rebuildHistory: async ({ world }) => {
    await world.historyIsQuiet();
    // The lane with the short journal: two weeks of the other take seconds to replay, each time.
    return { body: { ...ACT, lane: 'live' } };
  },
  haltMarket: onFreshMarket(),
  resumeMarket: async (scene, owner) => {
    const call = await onFreshMarket()(scene, owner);
    await scene.world.halt(call.params?.market_id ?? '');
    return call;
  },
  approveMarket: async ({ world }, owner) => ({
    params: { market_id: await world.unapprovedMarket(owner) },
    body: ACT,
  }),
  cancelMarket: onFreshMarket(),
  setTickSize: onFreshMarket({ tick_size: '0.0001' }),
  clarifyMarket: onFreshMarket({ text: 'The final report counts.' }),
  attachChainData: ({ marketId }) => ({
    body: { ...ACT, record: 'market', id: marketId, chain_data: null },
  }),
  // Nobody counts on what this account may do.
  freezeAccount: async ({ world }) => ({
    params: { account_id: await world.strangersAccount() },
    body: ACT,
  }),
  unfreezeAccount: (_scene, { accountId }) => ({ params: { account_id: accountId }, body: ACT }),
  createPlatformMarket: async ({ world }) => {
    await world.fund('acc_platform', '1000000');
    return { body: { ...ACT, template_id: 'platform-question', params: world.question() } };
  },
  previewCancellation: ({ marketId }) => ({
    params: { market_id: marketId },
    query: { lane: 'sandbox' },
  }),
  proposeCancellation: async ({ world }, owner) => {
    const id = await world.tradedMarket(owner);
    const body = { ...ACT, cause: 'event', evidence };
    return { params: { market_id: id }, body: { ...body, ...(await world.fairValue(id)) } };
  },
  confirmCancellation: async ({ world }, owner) => ({
    params: { market_id: await world.cancellation(owner) },
    body: { ...ACT, ruling: 'upheld' },
  }),
  previewRounds: ({ marketId }) => ({
    query: { lane: 'sandbox', market_ids: marketId, to_ms: String(Date.now()) },
  }),
  proposeRounds: async ({ world }) => ({
    body: { ...ACT, cause: 'source', evidence, ...(await world.roundsToCancel()) },
  }),
  confirmRounds: async ({ world }, owner) => ({
    body: { ...ACT, ruling: 'too_early', market_ids: [await world.cancellation(owner)] },
  }),
  proposeResolution: onFreshMarket({ winning_outcome_id: 'yes', evidence }),
  ruleResolution: ({ world }) => ({
    params: { market_id: world.disputed() },
    // Each is another wish: the same would wait already.
    body: { ...ACT, lane: 'live', ruling: 'upheld', winning_outcome_id: world.fresh('o') },
  }),
  creditDeposit: ({ world }, { accountId }) => ({
    params: { account_id: accountId },
    body: { ...ACT, asset: 'USDT', amount: '1', external_ref: world.fresh('ref-') },
  }),
  correctBalance: ({ world }, { accountId }) => ({
    params: { account_id: accountId },
    body: { ...ACT, asset: 'USDT', amount: '1', external_ref: world.fresh('ticket-') },
  }),
  payPlatformFees: async (scene, owner) => {
    await earnForPlatform(scene, owner);
    return {
      params: { account_id: owner.accountId },
      body: {
        ...ACT,
        fund: 'treasury',
        amount: '0.000001',
        external_ref: scene.world.fresh('payment-'),
      },
    };
  },
  inspectWithdrawal: async (scene, person) => ({
    params: (await waitingWithdrawal(scene, person)).params ?? {},
  }),
  approveWithdrawal: waitingWithdrawal,
  rejectWithdrawal: waitingWithdrawal,
  takeWithdrawal: duePayout,
  markWithdrawalPaid: takenPayout,
  setKeyTier: async ({ world }) => ({
    params: { key_id: (await world.strangersKey()).slice(0, 24) },
    body: { reason: 'conformance', tier: 'trade_capped' },
  }),
  setKeySigning: async ({ world }) => ({
    params: { key_id: (await world.strangersKey()).slice(0, 24) },
    body: { reason: 'conformance', enabled: true },
  }),
  setPartnerScopes: async ({ world }) => ({
    params: { key_id: (await partnerKey(world)).key.slice(0, 24) },
    body: { reason: 'conformance', partner_scopes: ['delegation:trade'] },
  }),
  setAccountTier: (_scene, { accountId }) => ({
    params: { account_id: accountId },
    body: { reason: 'conformance', rate_multiplier: 1 },
  }),
  loadCompliance: () => ({ body: { reason: 'conformance', rules: HARMLESS_RULES } }),
  getCompliance: () => ({}),
  listComplianceFlags: () => ({ query: {} }),
  testCompliance: () => ({ body: { reason: 'conformance', country: 'AQ' } }),
  clearComplianceFlag: async (scene) => ({
    params: { flag_id: await raisedFlag(scene) },
    body: { reason: 'conformance' },
  }),
  linkAccounts: ({ owner, poor }) => ({
    body: {
      reason: 'conformance',
      account_id: owner.accountId,
      other_account_id: poor.accountId,
      linked: false,
    },
  }),
  setAccountCountry: (_scene, { accountId }) => ({
    params: { account_id: accountId },
    body: { reason: 'conformance', country: null },
  }),
  startReconciliation: () => ({ body: ACT }),
  getReconciliation: () => ({ query: { lane: 'sandbox' } }),
  listBackups: () => ({}),
  createBackup: () => ({ body: { reason: 'conformance' } }),
  publishTemplate: ({ world }) => ({ body: { ...ACT, template: template(world.fresh('tpl-')) } }),
  deprecateTemplate: async ({ world }) => {
    const id = world.fresh('tpl-');
    await world.data('publishTemplate', { body: { ...ACT, template: template(id) } });
    return { params: { template_id: id }, body: ACT };
  },
};

/** The first version of a template of its own. */
export function template(id: string): Readonly<Record<string, unknown>> {
  return { ...operatorOperations.publishTemplate.example.body.template, id, version: 1 };
}

async function newUser(world: Scene['world']): Promise<string> {
  const body = { email: `${world.fresh('user')}@example.com`, password: PASSWORD };
  return String((await world.data('register', { body })).user_id);
}

/** The id of a request that the owner has just sent. */
async function loggedRequest({ world }: Scene, { key }: Person): Promise<string> {
  const { headers } = await world.checked('getBalance', { token: key });
  return String(headers['x-request-id']);
}

/** Whoever makes sets pays a fee, of which some is the platform's once the market is answered. */
async function earnForPlatform({ world }: Scene, owner: Person): Promise<void> {
  const market_id = await world.market(owner);
  const token = owner.key;
  const sets = { action: 'mint', market_id, size: '10' };
  await world.data('convertPosition', { token, body: sets, key: world.fresh('mint-') });
  const answer = { market_id, winning_outcome_id: 'yes' };
  await world.data('settleWithMockOracle', { token, body: answer });
}

export async function openSubaccount(scene: Scene, owner: Person): Promise<string> {
  await closeSpareSubaccounts(scene, owner);
  const body = { label: scene.world.fresh('label ') };
  const opened = await scene.world.data('createSubaccount', { token: owner.key, body });
  return String(opened.subaccount_id);
}

/** Only so many may be open at a time; the newest may be in use by the request that is being made. */
async function closeSpareSubaccounts({ world }: Scene, { key, accountId }: Person): Promise<void> {
  const open = await world.list('listSubaccounts', { token: key });
  if (open.length < 20) return;
  const oldestFirst = open.toSorted((a, b) => Number(a.created_at_ms) - Number(b.created_at_ms));
  const spare = oldestFirst.slice(0, -5);
  for (const { subaccount_id: id, balance_free: free, open_orders: orders } of spare) {
    if (orders !== 0) continue;
    const amount = String(free);
    if (Number(amount) > 0) {
      const back = { from: String(id), to: accountId, amount };
      await world.data('transferFunds', { token: key, body: back });
    }
    const params = { subaccount_id: String(id) };
    // Some have a stake that is still out: those stay.
    const call = { token: key, params, body: { status: 'closed' } };
    await world.send(operations.changeSubaccount, call);
  }
}

/** A user has only so many keys. */
async function dropSpareKeys({ world, keys }: Scene, person: Person): Promise<void> {
  const kept = [person.key, ...Object.values(keys)].map((key) => key.slice(0, 24));
  const query = { limit: '500' };
  for (const key of await world.list('listKeys', { token: person.session, query })) {
    const id = String(key.key_id);
    if (key.status !== 'active' || kept.includes(id)) continue;
    await world.data('revokeKey', { token: person.session, params: { key_id: id } });
  }
}
