// What an app becomes when its owner changes it, or why it may not.
import type { InputOf, Operations } from '@sibyl/contract';
import { ApiError, fail } from '../../handling/handler.ts';
import type { AppRecord } from '../../ports/apps.ts';
import { feeRefusal, type WantedApp } from './wanted-app.ts';

type Action = Pick<InputOf<Operations['updateApp']>['body'], 'action' | 'resubmit'>;

export interface Owner {
  /** Whether the builder may submit. */
  readonly isApproved: boolean;
}

export function changedApp(
  app: AppRecord,
  wanted: WantedApp,
  { action, resubmit = false }: Action,
  owner: Owner,
  atMs: number,
): AppRecord | ApiError {
  const state = stateRefusal(app, wanted, action);
  if (state !== null) return state;
  const fee = feeRefusal(wanted.builderFeeBps ?? app.builderFeeBps, app.feeCapBps);
  if (fee !== null) return fee;
  const changed: AppRecord = { ...app, ...wanted, updatedAtMs: atMs };
  if (action === 'disable') return { ...changed, status: 'disabled', disabledBy: 'owner' };
  if (action === 'withdraw') return { ...changed, status: 'draft' };
  const isReviewed = app.status === 'approved' && needsReview(app, changed);
  if (isReviewed && !resubmit) {
    const reason = 'the name, the redirect addresses or more scopes have to be reviewed again';
    return fail('STATE_CONFLICT', { status: app.status, reason, resubmit: true });
  }
  if (action !== 'submit' && !isReviewed) return changed;
  if (!owner.isApproved) return fail('BUILDER_NOT_APPROVED');
  return { ...changed, status: 'in_review', submittedAtMs: atMs };
}

/** Null if an app in its state may be asked that. */
function stateRefusal(
  { status }: AppRecord,
  wanted: WantedApp,
  action: Action['action'],
): ApiError | null {
  const isChange = Object.keys(wanted).length > 0;
  const mayBe =
    status === 'draft'
      ? action !== 'withdraw'
      : status === 'in_review'
        ? !isChange && (action === 'withdraw' || action === 'disable')
        : status === 'approved'
          ? action === undefined || action === 'disable'
          : false;
  return mayBe ? null : fail('STATE_CONFLICT', { status });
}

/** Users have agreed to the name, to where codes go, and to what may be asked for. */
function needsReview(before: AppRecord, after: AppRecord): boolean {
  if (before.name !== after.name) return true;
  if (before.redirectUris.join(' ') !== after.redirectUris.join(' ')) return true;
  return after.allowedScopes.some((scope) => !before.allowedScopes.includes(scope));
}

/** The same as a value that the store asks for: null refuses, and the refusal is kept for the answer. */
export class Change {
  refused: ApiError | null = null;
  readonly #make: (before: AppRecord) => AppRecord | ApiError;

  constructor(make: (before: AppRecord) => AppRecord | ApiError) {
    this.#make = make;
  }

  readonly next = (before: AppRecord): AppRecord | null => {
    const made = this.#make(before);
    this.refused = made instanceof ApiError ? made : null;
    return made instanceof ApiError ? null : made;
  };
}
