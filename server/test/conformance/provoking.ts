// Building blocks for requests that must fail: the ordinary request with something changed, sent twice, or about another market.
import type { AnyOperation, ErrorCode } from '@sibyl/contract';
import type { Answer } from './http.ts';
import { dataOf } from './judge.ts';
import { requestFor } from './requests.ts';
import type { Scene } from './scene.ts';
import { ACT, type Call, type Person, resting } from './world.ts';

export interface Provocation {
  readonly operation: string;
  readonly code: ErrorCode;
  readonly how: How;
}

export type How = (scene: Scene, operation: AnyOperation) => Promise<Answer>;

export async function requestOf(scene: Scene, operation: AnyOperation, by?: Person): Promise<Call> {
  return requestFor(operation, scene, by ?? scene.owner);
}

const unused = new WeakMap<Scene, Map<string, Promise<Call>>>();

/** For those who are refused before anything is done: none of them uses the request up, so one is made for all of them. */
export function unusedRequestOf(scene: Scene, operation: AnyOperation): Promise<Call> {
  const made = unused.get(scene) ?? new Map<string, Promise<Call>>();
  unused.set(scene, made);
  const known = made.get(operation.id) ?? requestOf(scene, operation);
  made.set(operation.id, known);
  return known;
}

type Change = Call | ((scene: Scene, call: Call) => Call);

const changed =
  (make: typeof unusedRequestOf, change: Change): How =>
  async (scene, operation) => {
    const call = await make(scene, operation);
    const other = typeof change === 'function' ? change(scene, call) : change;
    return scene.world.send(operation, { ...call, ...other });
  };

/** The ordinary request with something changed. */
export const but = (change: Change): How => changed(requestOf, change);

/** The same where the change keeps it from being done. */
export const refusedFor = (change: Change): How => changed(unusedRequestOf, change);

export const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  order_id: 'ord_00000zzzzz',
  key_id: 'sk_test_0000000000000000',
  account_id: 'acc_0000000000000000',
  market_id: 'm_0000000000000000',
  template_id: 'no-such-template',
  webhook_id: 'wh_0000000000000000',
  subaccount_id: 'sub_0000000000000000',
  request_id: 'req_0000000000000000',
  operator_id: 'opr_0000000000000000',
  approval_id: 'apr_0000000000000000',
  session_id: 'ops_0000000000000000',
  user_id: 'usr_0000000000000000',
  passkey_id: 'pk_0000000000000000',
  flag_id: 'flg_0000000000000000',
  destination_id: 'dst_0000000000000000',
  withdrawal_id: 'wd_0000000000',
  app_id: 'app_0000000000000000',
  grant_id: 'grt_0000000000000000',
};

export const unknownIds: How = (scene, operation) =>
  but((_scene, { params = {} }) => ({
    params: Object.fromEntries(
      Object.keys(params).map((name) => [name, unknownId(operation, name)]),
    ),
  }))(scene, operation);

/** Sessions of users and of operators go by the same name, each with ids of its own. */
function unknownId({ auth }: AnyOperation, name: string): string {
  if (name === 'session_id' && auth === 'session') return 'ses_0000000000000000';
  return UNKNOWN_IDS[name] ?? '';
}

export const NOWHERE = UNKNOWN_IDS.market_id ?? '';

/** Sends the ordinary request about another market. */
export const inMarket = (choose: (scene: Scene) => Promise<string> | string): How => {
  return async (scene, operation) => {
    const call = await requestOf(scene, operation);
    const marketId = await choose(scene);
    if (call.params?.market_id !== undefined) {
      return scene.world.send(operation, { ...call, params: { market_id: marketId } });
    }
    if (call.body === undefined) {
      return scene.world.send(operation, { ...call, query: { market_id: marketId } });
    }
    return scene.world.send(operation, { ...call, body: moved(call.body, marketId) });
  };
};

/** A batch of one, all or none, so that the fault of the item is that of the whole. */
function moved(body: unknown, marketId: string): unknown {
  const fields = body as Record<string, unknown>;
  return 'items' in fields ? batchOf(resting(marketId)) : { ...fields, market_id: marketId };
}

export function batchOf(order: object): object {
  return { items: [{ action: 'place', order }], all_or_none: true };
}

export async function halted({ world, owner }: Scene): Promise<string> {
  const marketId = await world.market(owner);
  await world.halt(marketId);
  return marketId;
}

export async function settled({ world, owner }: Scene): Promise<string> {
  const marketId = await world.market(owner);
  const body = { market_id: marketId, winning_outcome_id: 'yes' };
  await world.data('settleWithMockOracle', { token: owner.key, body });
  return marketId;
}

export async function proposed({ world, owner }: Scene): Promise<string> {
  const marketId = await world.market(owner);
  const body = { ...ACT, winning_outcome_id: 'yes', evidence: ['https://example.com'] };
  await world.data('proposeResolution', { params: { market_id: marketId }, body });
  return marketId;
}

/** Twice the same call, the second refused. */
export const twice = (change: Call = {}): How => {
  return async (scene, operation) => {
    const call = { ...(await requestOf(scene, operation)), ...change };
    dataOf(await scene.world.send(operation, call));
    return scene.world.send(operation, call);
  };
};
