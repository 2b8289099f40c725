// Commands and outcomes as text: JSON in which a bigint is an object of its own, so that nothing is guessed on the way back.
import type { Command } from './command.ts';
import type { Outcome } from './outcome.ts';

const TAG = '$bigint';

/** Same value, same text: keys keep the order in which the value was built, which the decoder keeps as well. */
export function encodeValue(value: unknown): string {
  return JSON.stringify(value, writeBigint);
}

/** Looks for bigints only where the text has one: a reviver would make every parse five times as slow. */
export function decodeValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes(TAG) ? readBigints(value) : value;
}

/** The journal's body of a command. */
export function encodeCommand(command: Command): string {
  return encodeValue(command);
}

export function decodeCommand(text: string): Command {
  return decodeValue(text) as Command;
}

/** What the journal hashes to prove that a replay came to the same events and answer. */
export function encodeOutcome(outcome: Outcome): string {
  return encodeValue(outcome);
}

function writeBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { [TAG]: value.toString() } : value;
}

function readBigints(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (TAG in value && typeof value[TAG] === 'string') return BigInt(value[TAG]);
  for (const [name, field] of Object.entries(value)) {
    const read = readBigints(field);
    if (read !== field) Reflect.set(value, name, read);
  }
  return value;
}
