// A dispute: someone stakes as much as the proposer that the proposal is wrong.
import type { Usdt } from '@sibyl/money';
import { actingAccount, isRejection } from '../account/authority.ts';
import { checkFree, frozen } from '../account/money.ts';
import type { Actor, DisputeResolution } from '../command.ts';
import { conflict, marketUnknown } from '../market/life.ts';
import { isFinal, type Market, type Proposal } from '../market/market.ts';
import { type Answer, DONE } from '../outcome.ts';
import { invalid, type Rejection, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { openBond, postBond } from './bonds.ts';
import { checkEvidence, hasEvidence, isBond } from './evidence.ts';
import { bondMinOf } from './propose.ts';

export function disputeResolution(turn: Turn, actor: Actor, command: DisputeResolution): Answer {
  const { state, events } = turn;
  const { marketId, evidence } = command;
  if (!isBond(command.bond)) return refuse(invalid('bond', 'an amount of at least 0'));
  const fault = checkEvidence(evidence);
  if (fault !== null) return refuse(fault);
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  const market = state.markets.get(marketId);
  if (market === undefined) return refuse(marketUnknown(marketId));
  const proposal = challengeable(market, command);
  if ('code' in proposal) return refuse(proposal);
  const bond = bondOf(state, market, proposal);
  if (command.bond < bond) return refuse(reject('ORACLE_BOND_INSUFFICIENT', { required: bond }));
  const lacking = checkFree(state, account, bond);
  if (lacking !== null) return refuse(lacking);
  const bondAccount = openBond(state, market, 'challenger');
  proposal.state = 'disputed';
  proposal.dispute = {
    accountId: account.id,
    evidence,
    bond,
    bondAccount,
    disputedAtMs: state.nowMs,
  };
  events.push({ type: 'resolution_disputed', marketId, accountId: account.id, evidence, bond });
  postBond(turn, market, account, bondAccount, bond);
  return accept(DONE);
}

function challengeable(market: Market, command: DisputeResolution): Proposal | Rejection {
  if (market.closing !== null) return conflict(market);
  if (isFinal(market)) return reject('RESOLUTION_LOCKED', { market_id: market.id });
  const { proposal } = market;
  if (market.status !== 'settling' || proposal === null) {
    return reject('PROPOSAL_STATE_INVALID', { market_id: market.id });
  }
  if (!hasEvidence(command.evidence)) return reject('RESOLUTION_EVIDENCE_MISSING');
  if (proposal.dispute !== null) return reject('DISPUTE_ALREADY_OPEN', { market_id: market.id });
  return proposal;
}

/** As much as the proposer's, or the least bond where the proposal carries none. */
function bondOf(state: State, market: Market, proposal: Proposal): Usdt {
  return proposal.bond > 0n ? (proposal.bond as Usdt) : bondMinOf(state, market);
}
