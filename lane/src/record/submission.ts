// What goes into a lane and what comes out of it once it is durable.
import type { Actor, Batch, Command, CommandBody, CommandKey, Outcome } from '@sibyl/engine';
import { copyOrder } from './generated/order.ts';

/** What the journal keeps of the request that a command was. */
export type RequestStamp = Pick<Submission, 'requestId' | 'nonce'>;

export interface Submission {
  readonly body: CommandBody;
  readonly actor: Actor;
  readonly key?: CommandKey;
  readonly requestId: string;
  /** Of a request that was signed: its nonce, which stands in the journal behind the id. */
  readonly nonce?: string | null;
}

export interface CommittedCommand {
  readonly command: Command;
  readonly outcome: Outcome;
  /** Of the commit that holds the command's record in the journal. */
  readonly hash: string;
}

export type CommitListener = (batch: readonly CommittedCommand[]) => void;

/** Gives a submission its sequence number and time. */
export function commandOf(
  submission: Omit<Submission, keyof RequestStamp>,
  seq: number,
  atMs: number,
): Command {
  const { body, actor, key } = submission;
  if (body.type === 'place_order' && key === undefined) return copyOrder(body, actor, seq, atMs);
  if (body.type === 'batch' && key !== undefined) return batchOf(body, actor, key, seq, atMs);
  const command =
    key === undefined ? { seq, atMs, actor, ...body } : { seq, atMs, actor, key, ...body };
  kept.set(body.type, command);
  return command;
}

/**
 * The last of each kind. The shape of a copy is forgotten when the collector finds none that has it: the next tick would
 * then have a new one, and whatever was compiled for commands as they were would be compiled again.
 */
const kept = new Map<Command['type'], Command>();

/** Nearly every command is an order or a batch. */
function batchOf(body: Batch, actor: Actor, key: CommandKey, seq: number, atMs: number): Command {
  const { accountId, items, allOrNone } = body;
  return { seq, atMs, actor, key, type: 'batch', accountId, items, allOrNone };
}
