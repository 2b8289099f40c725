// Orders of grants that are over: cancelled at once where somebody ended one, and soon after the end of one that ran out.
import { type AccountId, asAccountId, grantIdOf, restingGrants, type State } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import type { Job } from '../../handling/job.ts';
import type { GrantRecord } from '../../ports/grants.ts';
import type { PlatformChange, PlatformStore } from '../../ports/platform.ts';

export interface EndedGrantParts {
  readonly platform: Pick<PlatformStore, 'grants' | 'onChange'>;
  readonly lane: Pick<Lane, 'name' | 'read' | 'submit'>;
  readonly clock: Clock;
}

/** How long orders of a grant that ran out may rest after it. */
const CHECK_EVERY_MS = 20_000;

/**
 * Cancels what rests under grants that are over. Nothing is remembered of it: what rests is asked of the engine each time, so
 * whoever is cut off in the middle begins anew, and what was cancelled rests no more.
 */
async function cancelEnded({ platform, lane, clock }: EndedGrantParts): Promise<void> {
  const resting = await lane.read(restingGrants);
  if (resting.length === 0) return;
  for (const grant of await platform.grants.over(resting, clock.wallMs())) {
    for (const accountId of await lane.read((state) => accountsOf(state, grant))) {
      await cancelOf(lane, grant, accountId);
    }
  }
}

async function cancelOf(
  lane: EndedGrantParts['lane'],
  { grantId }: GrantRecord,
  accountId: AccountId,
): Promise<void> {
  const all = { marketId: null, outcomeId: null, side: null, orderIds: null };
  const { answer } = await lane.submit({
    body: { type: 'cancel_orders', accountId, ...all, grantId, reason: 'grant_ended' },
    actor: { kind: 'system' },
    requestId: 'grant_ended',
  });
  if (!answer.ok) throw new Error(`${grantId}: ${answer.rejection.code}`);
}

/** Of its family, those with an order that can be cancelled: what a closing market still holds ends with it. */
function accountsOf(state: State, { accountId, grantId }: GrantRecord): readonly AccountId[] {
  const members = state.accounts.get(asAccountId(accountId))?.family.sorted() ?? [];
  return members
    .filter((account) =>
      state.orderLists
        .of(account)
        .some((order) => grantIdOf(order) === grantId && order.holding.market.closing === null),
    )
    .map(({ id }) => id);
}

/** With a person all their grants may end, and with an app those of all who connected it. */
const ENDING: readonly PlatformChange['kind'][] = ['grant', 'app', 'user'];

/** Runs after every change that may end a grant, and regularly for grants that run out. */
export function endedGrants(parts: EndedGrantParts): Job {
  const { platform, lane } = parts;
  return {
    name: 'ended_grants',
    lane: lane.name,
    schedule: { everyMs: CHECK_EVERY_MS },
    once: true,
    run: () => cancelEnded(parts),
    onNeed: (ask) =>
      platform.onChange(({ kind }) => {
        if (ENDING.includes(kind)) ask();
      }),
  };
}
