// From engine logic 6 to 7.
import { type DepositRecord, depositIdOf, type Event, OPERATOR_CUSTODY } from '@sibyl/engine';
import type { CommittedCommand } from '../record/submission.ts';
import type { Boundary, SnapshotLine } from './boundary.ts';

export const from6: Boundary = {
  from: 6,
  *carry(lines) {
    const ticks = new Map<string, unknown>();
    const owners = new Map<unknown, unknown>();
    const faucet = new Map<string, number>();
    let isFaucet = false;
    for (const line of lines) {
      if (line.is === 'template') ticks.set(versionOf(line.definition, line.version), tickOf(line));
      if (line.is === 'account' && line.parentId !== null) owners.set(line.id, line.parentId);
      const wasFaucet = isFaucet;
      isFaucet = line.is === 'faucet_use';
      if (isFaucet) noteFaucet(faucet, owners, line);
      else if (wasFaucet) yield* faucetLines(faucet);
      if (!isFaucet) yield carried(line, ticks);
      if (line.is === 'balance' && line.name === 'external:bank') yield unrecorded(line);
    }
    if (isFaucet) yield* faucetLines(faucet);
  },
  retell,
};

/** What had come in from outside before deposits were recorded: the records explain only what came after. */
function unrecorded({ balance }: SnapshotLine): SnapshotLine {
  if (typeof balance !== 'bigint') throw new Error('a balance without an amount');
  return { is: 'unrecorded_funds', amount: -balance };
}

/** Nothing was halted, clarified or attached, and every market had the tick of its template. */
function carried(line: SnapshotLine, ticks: ReadonlyMap<string, unknown>): SnapshotLine {
  switch (line.is) {
    case 'state':
      return { ...line, format: 6, cancelOnly: false, parameterChanges: [] };
    case 'account':
      return carriedAccount(line);
    case 'market': {
      const tickPips = ticks.get(`${line.templateId}@${line.templateVersion}`);
      return { ...line, tickPips, clarifications: [], chainData: null };
    }
    default:
      return line;
  }
}

function versionOf(definition: unknown, version: unknown): string {
  return `${(definition as { readonly id: string }).id}@${version}`;
}

function tickOf({ definition }: SnapshotLine): unknown {
  return (definition as { readonly tickPips: number }).tickPips;
}

/** Who was frozen was so by an operator; a subaccount, which had no name, is called by its id. */
function carriedAccount({ frozen, ...line }: SnapshotLine): SnapshotLine {
  const label = line.parentId === null ? null : line.id;
  const holds = { frozenByOwner: false, frozenByOperator: frozen };
  const own = { frozenReason: null, chainData: null };
  return { ...line, is: 'account', label, closedAtMs: null, ...holds, ...own };
}

/** The faucet was counted per account and is per family: of several uses the last one counts. */
function noteFaucet(
  faucet: Map<string, number>,
  owners: ReadonlyMap<unknown, unknown>,
  line: SnapshotLine,
): void {
  const key = String(line.key);
  const atMs = Number(line.atMs);
  const owner = key.startsWith('account:') ? owners.get(key.slice('account:'.length)) : undefined;
  const counted = owner === undefined ? key : `account:${owner}`;
  const known = faucet.get(counted);
  // Moved to the end: the lines are in order of time.
  faucet.delete(counted);
  faucet.set(counted, known === undefined || atMs > known ? atMs : known);
}

function* faucetLines(faucet: ReadonlyMap<string, number>): Generator<SnapshotLine> {
  for (const [key, atMs] of faucet) yield { is: 'faucet_use', key, atMs };
}

function retell(committed: CommittedCommand): CommittedCommand {
  const { outcome } = committed;
  if (!outcome.events.some(({ type }) => RETOLD.has(type))) return committed;
  const events = outcome.events.flatMap((event) =>
    event.type === 'ledger_posted' && event.reason === 'deposit'
      ? [...depositTold(committed), event]
      : [retold(event)],
  );
  return { ...committed, outcome: { ...outcome, events } };
}

const RETOLD: ReadonlySet<Event['type']> = new Set([
  'account_opened',
  'account_frozen',
  'read_only_changed',
  'ledger_posted',
]);

function retold(event: Event): Event {
  switch (event.type) {
    case 'account_opened':
      return { ...event, label: event.parentId === null ? null : event.accountId };
    case 'account_frozen':
      return { ...event, by: 'operator', reason: null };
    case 'read_only_changed':
      return { ...event, cancelOnly: false };
    default:
      return event;
  }
}

/** A deposit was one entry of the ledger, and is a record now. */
function depositTold({ command, outcome }: CommittedCommand): Event[] {
  if (command.type !== 'deposit') return [];
  const { accountId, amount, reference } = command;
  const deposit: DepositRecord = {
    depositId: depositIdOf(command.seq),
    accountId,
    custody: OPERATOR_CUSTODY,
    reference,
    amount,
    state: 'confirmed',
    confirmations: 0,
    reason: null,
    createdAtMs: outcome.atMs,
    updatedAtMs: outcome.atMs,
  };
  return [{ type: 'deposit_updated', accountId, deposit }];
}
