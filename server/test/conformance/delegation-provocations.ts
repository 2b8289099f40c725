// How the codes of delegation and attribution are brought about.
import { type AnyOperation, type ErrorCode, operations } from '@sibyl/contract';
import { createdApp, roomyToken } from './builder-scene.ts';
import { approvedApp } from './connect-scene.ts';
import { type Held, keyOfPartner } from './delegation-scene.ts';
import { batchOf, type How, type Provocation, requestOf } from './provoking.ts';
import type { Scene } from './scene.ts';
import { resting } from './world.ts';

/** A delegation that is for something else. */
const otherThan = (scope: string | null): Held =>
  scope === 'account:read' ? 'converting' : 'reading';

const HELD: Readonly<Partial<Record<ErrorCode, Held>>> = {
  DELEGATION_MISSING: 'nothing',
  DELEGATION_EXPIRED: 'over',
  DELEGATION_DAILY_CAP_EXCEEDED: 'little',
};

/** The owner's ordinary request, sent by a partner in the owner's name. */
const onBehalf = (held: Held): How => {
  return async (scene, operation) => {
    const call = await requestOf(scene, operation);
    const token = await keyOfPartner(scene, held);
    const named = { on_behalf_of: scene.owner.accountId };
    const isInBody = operation.input.body !== null && operation.method === 'POST';
    const body = bodyOf(scene, operation, call.body);
    return scene.world.send(operation, {
      ...{ ...call, token, ...(body === undefined ? {} : { body }) },
      ...(isInBody
        ? { body: { ...Object(body), ...named } }
        : { query: { ...Object(call.query), ...named } }),
    });
  };
};

/** Of a batch all or nothing, so that what stands against an item is its answer. */
function bodyOf({ marketId }: Scene, { id }: AnyOperation, body: unknown): unknown {
  return id === 'batchOrders' ? batchOf(resting(marketId)) : body;
}

/** An amendment reaches only what was placed under the same delegation. */
const amendedOnBehalf: How = async (scene, operation) => {
  const { world, owner, marketId } = scene;
  const token = await keyOfPartner(scene, 'modest');
  const on_behalf_of = owner.accountId;
  const body = { ...resting(marketId), on_behalf_of };
  const { order_id } = await world.data('placeOrder', { token, body });
  const named = { params: { order_id: String(order_id) }, query: { on_behalf_of } };
  return world.send(operation, { token, ...named, body: { size: '2000' } });
};

const delegations = Object.values(operations as Readonly<Record<string, AnyOperation>>).flatMap(
  ({ id: operation, errors, scope }) =>
    errors.flatMap((code): readonly Provocation[] => {
      const held = code === 'DELEGATION_SCOPE_MISMATCH' ? otherThan(scope) : HELD[code];
      if (held === undefined) return [];
      const isAmended = operation === 'amendOrder' && held === 'little';
      return [{ operation, code, how: isAmended ? amendedOnBehalf : onBehalf(held) }];
    }),
);

/** An order that names the app, by itself and in a batch. */
const through = (appOf: (scene: Scene) => Promise<object>): How => {
  return async (scene, operation) => {
    const call = await requestOf(scene, operation);
    const order = { ...resting(scene.marketId), builder: await appOf(scene) };
    const body = operation.id === 'batchOrders' ? batchOf(order) : order;
    return scene.world.send(operation, { ...call, body });
  };
};

const attributions = ['placeOrder', 'batchOrders'].flatMap((operation): readonly Provocation[] => [
  {
    operation,
    code: 'APP_NOT_APPROVED',
    how: through(async (scene) => {
      const token = await roomyToken(scene, scene.other);
      return { app_id: String((await createdApp(scene.world, token)).app_id) };
    }),
  },
  {
    operation,
    code: 'BUILDER_FEE_ABOVE_CAP',
    how: through(async ({ world }) => ({
      ...{ app_id: (await approvedApp(world)).client_id, fee_bps: 51 },
    })),
  },
]);

export const delegationProvocations: readonly Provocation[] = [...delegations, ...attributions];
