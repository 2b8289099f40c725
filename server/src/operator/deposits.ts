// Deposits: the only way in which live money comes in, each outside reference once.

import { hash } from 'node:crypto';
import { type InputOf, limits, type OperatorOperations, type OutputOf } from '@sibyl/contract';
import { type AccountId, asAccountId, type Outcome } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { parseMoney, type Usdt } from '@sibyl/money';
import {
  ApiError,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
  refusal,
} from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { DEFAULT_ACTOR, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['creditDeposit']>;
type Deposit = OutputOf<OperatorOperations['creditDeposit']>;

export function depositActs(parts: OperatorParts): Pick<OperatorHandlers, 'creditDeposit'> {
  const references = new References();
  return {
    creditDeposit: (request, input) =>
      references.one(`${input.body.lane} ${input.body.external_ref}`, () =>
        actOnce(parts, request, () => credit(parts, request, input)),
      ),
  };
}

const KEY_SCOPE = 'operator deposit';

/** What is known of an outside reference before and after its money is booked. */
interface Claim {
  readonly fingerprint: string;
  readonly atMs: number;
  readonly isBooked: boolean;
}

async function credit(
  parts: OperatorParts,
  request: RequestContext,
  { params, body }: Input,
): Promise<Reply<Deposit> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const parsed = parseMoney(body.amount, 'USDT');
  if (!parsed.ok || parsed.value <= 0n) {
    return fail('VALIDATION_FAILED', { field: 'amount', expected: 'above 0, up to 6 places' });
  }
  const accountId = asAccountId(params.account_id);
  const isThere = await watched.lane.read((state) => state.accounts.has(accountId));
  if (!isThere) return fail('NOT_FOUND', { account_id: accountId });
  const fingerprint = hash('sha256', `${accountId} ${body.asset} ${parsed.value}`, 'hex');
  const name = `deposit ${body.lane} ${body.external_ref}`;
  const refused = await claim(parts, name, fingerprint);
  if (refused !== null) return refused;
  const outcome = await watched.lane.submit({
    body: { type: 'deposit', accountId, amount: parsed.value, reference: body.external_ref },
    actor: { kind: 'operator', name: body.actor ?? DEFAULT_ACTOR, reason: body.reason },
    requestId: request.requestId,
    // The reference, not the header: a second request about the same money finds the first.
    key: { scope: KEY_SCOPE, key: body.external_ref, bodyHash: fingerprint },
  });
  if (!outcome.answer.ok) return refusal(outcome.answer.rejection);
  await putClaim(parts, name, { fingerprint, atMs: outcome.atMs, isBooked: true });
  return { data: await depositOf(watched.lane, body, accountId, parsed.value, outcome) };
}

/** Noted before the money moves, so that a crash in between leaves a trace. */
async function claim(
  parts: OperatorParts,
  name: string,
  fingerprint: string,
): Promise<ApiError | null> {
  const { platform, clock } = parts;
  const text = await platform.setting(name);
  // Written by `putClaim`.
  const known = text === null ? null : (JSON.parse(text) as Claim);
  const nowMs = clock.wallMs();
  if (known === null) {
    await putClaim(parts, name, { fingerprint, atMs: nowMs, isBooked: false });
    return null;
  }
  const isSame = known.fingerprint === fingerprint;
  // Within the window the engine knows whether it booked the reference, and books it at most once.
  const isDecidable = nowMs - known.atMs < limits.idempotency.windowMs;
  if (isSame && !known.isBooked && isDecidable) return null;
  const reason = known.isBooked
    ? 'booked before'
    : 'look it up in the ledger: its fate is not known';
  return fail('ALREADY_EXISTS', { field: 'external_ref', reason });
}

async function putClaim({ platform }: OperatorParts, name: string, claim: Claim): Promise<void> {
  await platform.putSetting(name, JSON.stringify(claim));
}

async function depositOf(
  lane: Lane,
  body: Input['body'],
  accountId: AccountId,
  amount: Usdt,
  outcome: Outcome,
): Promise<Deposit> {
  const { free, seq } = await lane.read((state) => {
    const account = state.accounts.get(accountId);
    return {
      free: account === undefined ? 0n : state.ledger.balance(account.free),
      // A repeated command has a number of its own; the deposit keeps that of the first.
      seq: state.commandKeys.get(`${KEY_SCOPE}|${body.external_ref}`)?.seq ?? outcome.seq,
    };
  });
  return {
    deposit_id: `dep_${seq.toString(36).padStart(10, '0')}`,
    account_id: accountId,
    lane: body.lane,
    asset: 'USDT',
    amount: amountText(amount),
    external_ref: body.external_ref,
    balance_free: amountText(free),
    created_at: isoTime(outcome.atMs),
    created_at_ms: outcome.atMs,
  };
}

/** Two requests about one reference follow each other. */
class References {
  readonly #running = new Map<string, Promise<unknown>>();

  async one<T>(reference: string, work: () => Promise<T>): Promise<T> {
    const before = this.#running.get(reference) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#running.set(reference, result);
    try {
      return await result;
    } finally {
      if (this.#running.get(reference) === result) this.#running.delete(reference);
    }
  }
}
