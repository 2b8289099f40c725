// Accounts beside one's own: opened, listed, changed, and money moved between them.
import {
  type OperationInput,
  type Operations,
  type Subaccount,
  type Transfer,
  tiers,
} from '@sibyl/contract';
import { type AccountId, asAccountId, type Outcome } from '@sibyl/engine';
import { boundTo } from '../../handling/credentials.ts';
import {
  ApiError,
  fail,
  type Handler,
  ownAccount,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { submit } from '../../handling/submit.ts';
import type { Random } from '../../ports/random.ts';
import { ASSET } from '../../wire/account-mode.ts';
import { amountText, readMoney } from '../../wire/amounts.ts';
import { type AnswerStore, answerFirst } from '../../wire/first-answer.ts';
import { transferIdText } from '../../wire/ids.ts';
import { wireRefusal } from '../../wire/refusals.ts';
import { isoTime } from '../../wire/times.ts';
import { listedAfter, subaccountView } from './queries.ts';

export interface SubaccountParts extends AnswerStore {
  readonly random: Random;
}

interface SubaccountHandlers {
  readonly createSubaccount: Handler<Operations['createSubaccount']>;
  readonly listSubaccounts: Handler<Operations['listSubaccounts']>;
  readonly changeSubaccount: Handler<Operations['changeSubaccount']>;
  readonly transferFunds: Handler<Operations['transferFunds']>;
}

const ID_LENGTH = 16;

export function subaccountHandlers(parts: SubaccountParts): SubaccountHandlers {
  return {
    createSubaccount: (request, { body }) =>
      boundRefusal(request) ?? create(parts, request, body.label),
    listSubaccounts: (request, { query }) => list(request, query),
    changeSubaccount: (request, { params, body }) =>
      boundRefusal(request) ?? change(parts, request, asAccountId(params.subaccount_id), body),
    transferFunds: (request, { body }) => boundRefusal(request) ?? transfer(parts, request, body),
  };
}

/** Subaccounts are their owner's to arrange, whichever of them is meant. */
function boundRefusal({ credential }: RequestContext): ApiError | null {
  const subaccountId = credential === null ? null : boundTo(credential);
  if (subaccountId === null) return null;
  const details = { required: 'owner', subaccount_id: subaccountId };
  const message =
    'This key is bound to a subaccount: it opens and changes none and moves no money between them. Use a key of the owner that is not bound, or a session.';
  return fail('SCOPE_MISSING', details, message);
}

async function create(
  parts: SubaccountParts,
  request: RequestContext,
  label: string,
): Promise<Reply<Subaccount> | ApiError> {
  const accountId = ownAccount(request);
  const { credential } = request;
  if (credential?.kind === 'session' && credential.isDemo) {
    const message = 'A demo account has no subaccounts. Register to get some.';
    const details = { tier: null, required_tier: tiers[0] };
    const reason = 'demo accounts have no subaccounts';
    return fail('TIER_UPGRADE_REQUIRED', { ...details, reason }, message);
  }
  const subaccountId = asAccountId(`sub_${parts.random.token(ID_LENGTH)}`);
  const outcome = await submit(request, {
    type: 'open_subaccount',
    accountId,
    subaccountId,
    label: label.trim(),
  });
  const { answer, replayed } = outcome;
  if (!answer.ok) return wireRefusal(answer.rejection, replayed);
  const { result } = answer;
  if (result.kind !== 'account') throw new Error('an opening was answered by something else');
  return shown(parts, request, outcome, result.accountId);
}

async function list(
  request: RequestContext,
  query: OperationInput<'listSubaccounts'>['query'],
): Promise<Reply<Subaccount[]>> {
  const page = request.page(query);
  const accountId = ownAccount(request);
  const found = await request.lane.read((state) => {
    const account = state.accounts.get(accountId);
    if (account === undefined) throw fail('NOT_FOUND', { account_id: accountId });
    const listed = listedAfter(account, query.status ?? 'open', page.after);
    // One more than asked for shows that there is another page.
    const wanted = listed.slice(0, Math.min(page.limit + 1, listed.length));
    return wanted.map((each) => subaccountView(state, each));
  });
  const data = found.slice(0, Math.min(page.limit, found.length));
  const last = data.at(-1);
  const hasMore = found.length > data.length && last !== undefined;
  const cursor = hasMore ? page.cursor([last.created_at_ms, last.subaccount_id]) : null;
  return { data, meta: { next_cursor: cursor } };
}

async function change(
  parts: SubaccountParts,
  request: RequestContext,
  accountId: AccountId,
  { label, status }: OperationInput<'changeSubaccount'>['body'],
): Promise<Reply<Subaccount> | ApiError> {
  const outcome = await submit(request, {
    type: 'change_subaccount',
    accountId,
    label: label === undefined ? null : label.trim(),
    status: status ?? null,
  });
  const { answer, replayed } = outcome;
  if (!answer.ok) return wireRefusal(answer.rejection, replayed);
  return shown(parts, request, outcome, accountId);
}

/** As it is after the change; a repeated request is shown what the first one was. */
function shown(
  parts: SubaccountParts,
  request: RequestContext,
  outcome: Outcome,
  accountId: AccountId,
): Promise<Reply<Subaccount> | ApiError> {
  const { lane } = request;
  return answerFirst(parts, lane, request, outcome, async () => {
    const data = await lane.read((state) => subaccountView(state, state.accounts.get(accountId)!));
    return { data, replayed: outcome.replayed };
  });
}

async function transfer(
  parts: SubaccountParts,
  request: RequestContext,
  { from, to, amount: text }: OperationInput<'transferFunds'>['body'],
): Promise<Reply<Transfer> | ApiError> {
  ownAccount(request);
  const amount = readMoney(text, 'amount');
  if (amount instanceof ApiError) return amount;
  const fromId = asAccountId(from);
  const toId = asAccountId(to);
  const outcome = await submit(request, { type: 'transfer', fromId, toId, amount });
  const { answer, replayed } = outcome;
  if (!answer.ok) {
    const { code, details } = answer.rejection;
    if (code !== 'NOT_FOUND') return wireRefusal(answer.rejection, replayed);
    const field = details.account_id === from ? 'from' : 'to';
    return new ApiError(code, { details: { field }, replayed });
  }
  const { lane } = request;
  return answerFirst(parts, lane, request, outcome, async ({ seq, atMs }) => {
    const data = await lane.read(({ accounts, ledger }) => {
      const giver = accounts.get(fromId)!;
      return {
        transfer_id: transferIdText(seq),
        from,
        to,
        asset: ASSET,
        amount: amountText(amount),
        from_balance_free: amountText(ledger.balance(giver.free)),
        to_balance_free: amountText(ledger.balance(accounts.get(toId)!.free)),
        created_at: isoTime(atMs),
        created_at_ms: atMs,
      };
    });
    return { data, replayed };
  });
}
