// Who may do what on the operator plane: every operation with every role, and with everything that is no role at all.
import { type AnyOperation, operatorOperations, operatorRoles } from '@sibyl/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryOperatorStore } from '../../src/adapters/memory/operators.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { OperatorGuard } from '../../src/gateway/operator-guard.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { createGateway, type Gateway } from '../../src/http/http.ts';
import { bearer, type Harness, openHarness } from '../gateway/harness.ts';
import { begunBy } from '../ports/authenticators-suite.ts';

const TOKEN = 'op_a-long-token-of-the-operator';
const all: readonly AnyOperation[] = Object.values(operatorOperations);
const byId = all.map((operation) => [operation.id, operation] as const);

/** What is about one's own sign-in. */
const own = [
  'getOperatorIdentity',
  'closeOperatorSession',
  'listOperatorSessions',
  'endOperatorSession',
  'changeOperatorPassword',
  'stepUpOperatorSession',
  'getOperatorFactor',
  'enrolOperatorTotp',
  'confirmOperatorTotp',
  'removeOperatorTotp',
  'renewOperatorRecoveryCodes',
];

/** Written down once more, apart from the contract: who may call what. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  viewer: [
    'getPlatform',
    'getSamples',
    'listAlarms',
    'listJobs',
    'findMarkets',
    'findTemplates',
    'findAccounts',
    'getParameters',
    'getQueues',
    'getTierCeilings',
    'getRateQuotas',
    ...own,
    'listApprovals',
    'getApproval',
    'findWithdrawals',
    'inspectWithdrawal',
    'findBuilders',
    'findApps',
    'approveAct',
    'rejectAct',
    'listTrail',
    'listOperators',
    'getUserScopes',
    'getCompliance',
    'listComplianceFlags',
    'previewCancellation',
    'previewRounds',
    'getReconciliation',
    'getHistory',
    'listBackups',
  ],
  support: [
    'setAccountCountry',
    'testCompliance',
    'clearComplianceFlag',
    'linkAccounts',
    'setKeyTier',
    'setKeySigning',
    'setPartnerScopes',
    'setAccountTier',
    'approveBuilder',
    'rejectBuilder',
    'setLoadTest',
    'approveApp',
    'rejectApp',
    'disableApp',
    'enableApp',
    'freezeAccount',
    'unfreezeAccount',
    'createResetLink',
    'createVerificationLink',
    'findUser',
    'listAccountOrders',
    'listAccountFills',
    'listAccountLedger',
    'listAccountDeposits',
    'getUserAccess',
  ],
  market_manager: [
    'setPlatformMode',
    'haltMarket',
    'resumeMarket',
    'approveMarket',
    'cancelMarket',
    'proposeCancellation',
    'confirmCancellation',
    'proposeRounds',
    'confirmRounds',
    'createPlatformMarket',
    'proposeResolution',
    'ruleResolution',
    'setTickSize',
    'clarifyMarket',
    'publishTemplate',
    'deprecateTemplate',
  ],
  treasurer: [
    'creditDeposit',
    'correctBalance',
    'payPlatformFees',
    'approveWithdrawal',
    'rejectWithdrawal',
    'takeWithdrawal',
    'markWithdrawalPaid',
    'startReconciliation',
    'attachChainData',
  ],
  admin: [
    'setParameters',
    'setTierCeilings',
    'setRateQuota',
    'decideClock',
    'setMaintenance',
    'allowLocalReceiver',
    'rebuildHistory',
    'createBackup',
    'addOperator',
    'setOperatorRoles',
    'disableOperator',
    'resetOperatorFactor',
    'setOperatorUser',
    'setUserScopes',
    'removeUserFactors',
    'loadCompliance',
  ],
};

function isAllowed(role: string, id: string): boolean {
  if (id === 'openOperatorSession' || allowed.viewer?.includes(id) === true) return true;
  return role === 'admin' || allowed[role]?.includes(id) === true;
}

let harness: Harness;
let operators: MemoryOperatorStore;
/** By the role of the token. Every operation answers its example, so that whoever gets in is seen. */
const gateways = new Map<string, Gateway>();

beforeAll(async () => {
  harness = await openHarness();
  operators = new MemoryOperatorStore();
  const { lanes, platform, secrets, clock } = harness;
  const handlers = all.map(({ id, example }): [string, AnyHandler] => [
    id,
    async () => ({ data: example.data }),
  ]);
  for (const role of [...operatorRoles, 'required'] as const) {
    const isFactorRequired = role === 'required';
    const hash = secrets.digest('operator', TOKEN);
    const token = { hash, role: isFactorRequired ? 'admin' : role } as const;
    const gateway = await createGateway({
      operations: operatorOperations,
      handlers: Object.fromEntries(handlers),
      ...{ lanes, platform, secrets, clock, random: systemRandom, log: silentLog },
      rateMultiplier: 0,
      operatorGuard: new OperatorGuard({
        ...{ operators, secrets, clock, token, isFactorRequired },
        noteRefusal: async () => undefined,
      }),
    });
    gateways.set(role, gateway);
  }
});
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.close();
  await harness.close();
});

let count = 0;

/** A session of an operator with these roles. */
async function sessionOf(roles: readonly string[], change: { expiresAtMs?: number } = {}) {
  count += 1;
  const nowMs = harness.clock.wallMs();
  const operatorId = `opr_${count}`;
  const sessionId = `ops_${String(count).padStart(16, '0')}`;
  const token = `${sessionId}_${'x'.repeat(43)}`;
  await operators.addOperator({
    operatorId,
    name: `operator ${count}`,
    passwordHash: 'hash',
    passwordIssued: true,
    roles,
    createdAtMs: nowMs,
    disabledAtMs: null,
    former: null,
    factorResetAtMs: null,
    userId: null,
  });
  const session = {
    sessionId,
    tokenHash: harness.secrets.digest('operator', token),
    operatorId,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 28_800_000,
    usedAtMs: nowMs,
    steppedUpAtMs: nowMs,
    endedAtMs: null,
    ...change,
  };
  await operators.addSession(session, 'hash');
  return { operatorId, sessionId, token };
}

async function verdict(operation: AnyOperation, headers: object, role = 'admin'): Promise<string> {
  const { params, query, body } = operation.example as {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: object;
  };
  count += 1;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => params?.[name] ?? '');
  const answer = await gateways.get(role)!.app.inject({
    method: operation.method,
    url: `${path}?${new URLSearchParams(query)}`,
    headers: { ...headers, 'idempotency-key': `key-of-the-test-${count}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return answer.json().error?.code ?? 'ok';
}

describe('[OP40] the roles of the operator plane', () => {
  it('are written down for every operation', () => {
    const written = Object.values(allowed).flat();
    expect([...written, 'openOperatorSession'].sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it.each(byId)('%s is open to its roles alone, by session and by token', async (id, operation) => {
    for (const role of operatorRoles) {
      const expected = isAllowed(role, id) ? 'ok' : 'SCOPE_MISSING';
      const { token } = await sessionOf([role]);
      expect([role, await verdict(operation, bearer(token))]).toEqual([role, expected]);
      const byToken = await verdict(operation, bearer(TOKEN), role);
      expect([`token as ${role}`, byToken]).toEqual([`token as ${role}`, expected]);
    }
    const others = operatorRoles.filter((role) => role !== 'admin');
    const { token } = await sessionOf(others);
    const isOpen = others.some((role) => isAllowed(role, id));
    expect(await verdict(operation, bearer(token))).toBe(isOpen ? 'ok' : 'SCOPE_MISSING');
  });

  it.each(byId.filter(([, { auth }]) => auth === 'operator'))(
    '%s is closed to everything else',
    async (_id, operation) => {
      expect(await verdict(operation, {})).toBe('AUTH_REQUIRED');
      expect(await verdict(operation, { authorization: `Basic ${TOKEN}` })).toBe('AUTH_INVALID');
      expect(await verdict(operation, bearer(`${TOKEN}x`))).toBe('AUTH_INVALID');
      const user = await harness.session();
      expect(await verdict(operation, bearer(user))).toBe('AUTH_INVALID');
      const key = await harness.key({ session: user });
      expect(await verdict(operation, bearer(key))).toBe('AUTH_INVALID');
      const nobody = await sessionOf(['a role of another build']);
      expect(await verdict(operation, bearer(nobody.token))).toBe('SCOPE_MISSING');
      const ended = await sessionOf(['admin']);
      await operators.endSession(ended.sessionId, 1);
      expect(await verdict(operation, bearer(ended.token))).toBe('AUTH_INVALID');
      const expired = await sessionOf(['admin'], { expiresAtMs: harness.clock.wallMs() });
      expect(await verdict(operation, bearer(expired.token))).toBe('AUTH_INVALID');
      const disabled = await sessionOf(['admin']);
      await sessionOf(['admin']);
      await operators.disableOperator(disabled.operatorId, 1);
      expect(await verdict(operation, bearer(disabled.token))).toBe('AUTH_INVALID');
    },
  );
});

/** Written down once more: what whoever has yet to enrol a second factor may do. */
const withoutFactor: ReadonlySet<string> = new Set(['openOperatorSession', ...own]);

it.each(byId)(
  '[OP51] %s is open without the second factor that is required only if it is about the own sign-in',
  async (id, operation) => {
    const { operatorId, token } = await sessionOf(['admin']);
    const expected = withoutFactor.has(id) ? 'ok' : 'STEP_UP_MFA_REQUIRED';
    const { totp, confirmation } = begunBy(operatorId);
    await operators.factors.beginTotp(totp);
    expect(await verdict(operation, bearer(token), 'required')).toBe(expected);
    await operators.factors.confirmTotp(confirmation);
    expect(await verdict(operation, bearer(token), 'required')).toBe('ok');
    expect(await verdict(operation, bearer(TOKEN), 'required')).toBe('ok');
  },
);
