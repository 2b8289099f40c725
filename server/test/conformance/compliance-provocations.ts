// How each code of compliance is brought about, on every operation that declares it.
import type { ErrorCode } from '@sibyl/contract';
import { BOTH_LANES, setCountry, underRules, washer } from './compliance-scene.ts';
import { mailedToken } from './enrolled.ts';
import { dataOf } from './judge.ts';
import { type How, type Provocation, requestOf } from './provoking.ts';
import type { Scene } from './scene.ts';

/** The ordinary request of the owner, under rules that forbid it. */
const under =
  (rules: (scene: Scene) => object, country: string | null = null): How =>
  async (scene, operation) => {
    const { world, owner } = scene;
    const call = await requestOf(scene, operation);
    await setCountry(world, owner, country);
    const answer = await underRules(world, rules(scene), () => world.send(operation, call));
    await setCountry(world, owner, null);
    return answer;
  };

const lanes = BOTH_LANES;
const ruled: Readonly<Partial<Record<ErrorCode, How>>> = {
  JURISDICTION_BLOCKED: under(
    () => ({ jurisdictions: [{ id: 'cold', countries: ['AQ'], lanes }] }),
    'AQ',
  ),
  SANCTIONS_HIT: under(({ owner }) => ({
    sanctions: [{ id: 'list', emails: [owner.email.toUpperCase()], lanes }],
  })),
  COMPLIANCE_GATE_BLOCKED: under(() => ({ gates: [{ id: 'country', country: true, lanes }] })),
  TIER_UPGRADE_REQUIRED: under(() => ({
    gates: [{ id: 'tier', tier_min: 'institutional', lanes }],
  })),
  ANTI_ABUSE_BLOCKED: async (scene, operation) => {
    const call = await requestOf(scene, operation);
    const { prodOnly } = operation;
    const { key, session } = await washer(scene, prodOnly ? 'live' : 'sandbox');
    return scene.world.send(operation, { ...call, token: prodOnly ? session : key });
  },
};

const traded = [
  'placeOrder',
  'amendOrder',
  'batchOrders',
  'convertPosition',
  'createMarket',
  'createSubaccount',
  'createWithdrawal',
];

const ofTraders = traded.flatMap((operation) =>
  Object.entries(ruled).map(([code, how]): Provocation => {
    return { operation, code: code as ErrorCode, how };
  }),
);

/** Who may not trade neither becomes a builder nor lets others trade. */
const ofApplicants = ['applyForTrack', 'createGrant'].flatMap((operation) =>
  (['JURISDICTION_BLOCKED', 'SANCTIONS_HIT', 'COMPLIANCE_GATE_BLOCKED'] as const).map(
    (code): Provocation => ({
      ...{ operation, code },
      how: (scene, asked) => ruled[code]!(scene, asked),
    }),
  ),
);

/** Money of somebody whom rules stop by now is not let go. */
const ofPayers: readonly Provocation[] = [
  ...(['JURISDICTION_BLOCKED', 'SANCTIONS_HIT', 'COMPLIANCE_GATE_BLOCKED'] as const).map(
    (code): Provocation => ({
      ...{ operation: 'approveWithdrawal', code },
      how: (scene, operation) => ruled[code]!(scene, operation),
    }),
  ),
  {
    operation: 'approveWithdrawal',
    code: 'ANTI_ABUSE_BLOCKED',
    how: async (scene, operation) => {
      const { waiting } = await washer(scene, 'live');
      return scene.world.send(operation, waiting ?? {});
    },
  },
];

const ofDeclarers: readonly Provocation[] = [
  {
    operation: 'updateProfile',
    code: 'JURISDICTION_BLOCKED',
    how: (scene, operation) => ruled.JURISDICTION_BLOCKED!(scene, operation),
  },
  {
    operation: 'updateProfile',
    code: 'SANCTIONS_HIT',
    how: under(() => ({ sanctions: [{ id: 'list', countries: ['AQ'] }] }), 'AQ'),
  },
  // An operator has set the country.
  { operation: 'updateProfile', code: 'COMPLIANCE_GATE_BLOCKED', how: under(() => ({}), 'AQ') },
];

const SIGN_UPS = { anti_abuse: { sign_ups: { id: 'burst', per_address: 1, window_minutes: 60 } } };
const FAUCET = { anti_abuse: { faucet: { id: 'farm', accounts_per_address: 1 } } };
const COLD = { jurisdictions: [{ id: 'cold', countries: ['AQ'], lanes }] };

/** Somebody signs up from the address, then the request is sent from there. */
const secondFrom: How = async (scene, operation) => {
  const { world } = scene;
  const address = world.freshAddress();
  const register = { ...(await requestOf(scene, world.operation('register'))), address };
  const call = { ...(await requestOf(scene, operation)), address };
  return underRules(world, SIGN_UPS, async () => {
    dataOf(await world.send(world.operation('register'), register));
    return world.send(operation, call);
  });
};

const ofStrangers: readonly Provocation[] = [
  { operation: 'register', code: 'ANTI_ABUSE_BLOCKED', how: secondFrom },
  { operation: 'mintSandboxKey', code: 'ANTI_ABUSE_BLOCKED', how: secondFrom },
  {
    operation: 'register',
    code: 'JURISDICTION_BLOCKED',
    how: async (scene, operation) => {
      const { body, ...call } = await requestOf(scene, operation);
      const from = { ...(body as object), country: 'AQ' };
      const { world } = scene;
      return underRules(world, COLD, () => world.send(operation, { ...call, body: from }));
    },
  },
  {
    operation: 'register',
    code: 'COMPLIANCE_GATE_BLOCKED',
    how: async ({ world }, operation) => {
      const { session: token, email, password } = await world.person('gone', '');
      // Kept of an address alone that is known to be the user's own.
      await world.data('confirmEmail', { body: { token: await mailedToken(world, email) } });
      await world.data('excludeSelf', { token, base: '', body: { until_ms: null } });
      await world.data('closeAccount', { token, base: '', body: { password } });
      return world.send(operation, { base: '', body: { email, password } });
    },
  },
  {
    operation: 'mintSandboxKey',
    code: 'JURISDICTION_BLOCKED',
    how: async (scene, operation) => {
      const call = { ...(await requestOf(scene, operation)), query: { country: 'AQ' } };
      return underRules(scene.world, COLD, () => scene.world.send(operation, call));
    },
  },
  {
    operation: 'useFaucet',
    code: 'ANTI_ABUSE_BLOCKED',
    how: async ({ world }, operation) => {
      const address = world.freshAddress();
      const keys = [await world.strangersKey(), await world.strangersKey()];
      return underRules(world, FAUCET, async () => {
        dataOf(await world.send(operation, { token: keys[0]!, address }));
        return world.send(operation, { token: keys[1]!, address });
      });
    },
  },
];

const NONE = { day: null, week: null, month: null };

/** Into the live account of somebody new, who wants no more than he said. */
const unwanted =
  (act: 'excludeSelf' | 'setOwnLimits', body: object): How =>
  async (scene, operation) => {
    const { world } = scene;
    const person = await world.person('careful', '');
    await world.data(act, { token: person.session, base: '', body });
    const { body: deposit } = await requestOf(scene, operation);
    return world.send(operation, {
      params: { account_id: person.accountId },
      body: { ...(deposit as object), lane: 'live' },
    });
  };

const own: readonly Provocation[] = [
  {
    operation: 'excludeSelf',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      const { session: token } = await world.person('excluded', '');
      dataOf(await world.send(operation, { token, base: '', body: { until_ms: null } }));
      const shorter = { until_ms: Date.now() + 3_600_000 };
      return world.send(operation, { token, base: '', body: shorter });
    },
  },
  {
    operation: 'creditDeposit',
    code: 'COMPLIANCE_GATE_BLOCKED',
    how: unwanted('excludeSelf', { until_ms: null }),
  },
  {
    operation: 'creditDeposit',
    code: 'RISK_LIMIT_BREACH',
    how: unwanted('setOwnLimits', { deposit: { ...NONE, day: '0.5' }, loss: NONE }),
  },
];

export const complianceProvocations: readonly Provocation[] = [
  ...ofTraders,
  ...ofApplicants,
  ...ofPayers,
  ...ofDeclarers,
  ...ofStrangers,
  ...own,
];
