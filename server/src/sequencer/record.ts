// The hash-chained record: how a sequenced command is sealed for the journal, and how a sealed one is checked.
import { hash } from 'node:crypto';
import {
  type Actor,
  type Command,
  decodeCommand,
  encodeCommand,
  type Outcome,
} from '@sibyl/engine';
import { JournalCorrupt, type JournalRecord } from '../ports/journal.ts';
import { readShortText, SHORT, shortText } from './order-text.ts';
import { outcomeDigest } from './outcome-digest.ts';

/** A place in the chain: what the next record must follow. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
  readonly tsMs: number;
  readonly epoch: number;
}

export interface Origin {
  readonly epoch: number;
  readonly requestId: string;
}

export function sealRecord(
  command: Command,
  outcome: Outcome,
  prevHash: string,
  origin: Origin,
): JournalRecord {
  const short = shortText(command);
  const record = {
    seq: command.seq,
    epoch: origin.epoch,
    tsMs: command.atMs,
    type: command.type,
    ver: short === null ? VERSIONS[command.type] : SHORT,
    actor: actorText(command.actor),
    requestId: origin.requestId,
    body: short ?? encodeCommand(command),
    outcomeHash: outcomeDigest(outcome),
    prevHash,
    hash: '',
  };
  record.hash = hashRecord(record);
  return record;
}

/** Throws JournalCorrupt unless the record is the one that was sealed after `link`. */
export function checkRecord(record: JournalRecord, link: ChainLink): void {
  const { seq } = record;
  if (seq !== link.seq + 1)
    throw new JournalCorrupt(`record ${link.seq + 1} is missing: ${seq} follows ${link.seq}`);
  if (record.prevHash !== link.hash)
    throw new JournalCorrupt(`record ${seq} does not follow the record before it`);
  if (record.hash !== hashRecord(record))
    throw new JournalCorrupt(`record ${seq} was altered: its hash does not match`);
  if (record.tsMs < link.tsMs)
    throw new JournalCorrupt(`record ${seq} is earlier than the record before it`);
  if (record.epoch < link.epoch)
    throw new JournalCorrupt(`record ${seq} is of an earlier epoch than the record before it`);
}

/** Decodes the body of a checked record; what this program does not know, it refuses. */
export function openRecord(record: JournalRecord): Command {
  const { seq, type, ver } = record;
  if (!Object.hasOwn(VERSIONS, type))
    throw new JournalCorrupt(`record ${seq} has the unknown type ${type}`);
  if (ver === SHORT) return readShortText(record);
  if (ver !== 1)
    throw new JournalCorrupt(
      `record ${seq} is ${type} version ${ver}; this program knows versions 1 and ${SHORT}`,
    );
  const command = decodeCommand(record.body);
  if (command.seq !== seq || command.type !== type || command.atMs !== record.tsMs) {
    throw new JournalCorrupt(`record ${seq} holds a command that is not its own`);
  }
  return command;
}

export function linkOf(record: JournalRecord): ChainLink {
  return record;
}

/** Texts stand behind their lengths, and numbers between spaces, so that no two records give the same text. */
function hashRecord(record: JournalRecord): string {
  const { body, requestId, actor, type, prevHash, outcomeHash } = record;
  return hash(
    'sha256',
    `${record.seq} ${record.epoch} ${record.tsMs} ${record.ver} ${prevHash.length} ${outcomeHash.length} ${type.length} ${actor.length} ${requestId.length} ${body.length} ${prevHash}${outcomeHash}${type}${actor}${requestId}${body}`,
    'hex',
  );
}

function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'account':
      return actor.keyId === null ? actor.accountId : `${actor.accountId} ${actor.keyId}`;
    case 'operator':
      return `operator ${actor.name}`;
    case 'system':
      return 'system';
  }
}

/** The version of the body of every command that has no short text. */
const VERSIONS: Readonly<Record<Command['type'], 1>> = {
  open_account: 1,
  freeze_account: 1,
  deposit: 1,
  withdraw: 1,
  transfer: 1,
  faucet: 1,
  reset_account: 1,
  mint_sets: 1,
  merge_sets: 1,
  publish_template: 1,
  deprecate_template: 1,
  create_market: 1,
  approve_market: 1,
  halt_market: 1,
  resume_market: 1,
  cancel_market: 1,
  propose_resolution: 1,
  dispute_resolution: 1,
  rule_resolution: 1,
  report_readings: 1,
  mock_oracle: 1,
  place_order: 1,
  amend_order: 1,
  cancel_order: 1,
  cancel_orders: 1,
  heartbeat: 1,
  batch: 1,
  set_read_only: 1,
  recover: 1,
  tick: 1,
};
