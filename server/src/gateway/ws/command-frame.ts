// Frames of clients, read: which command one is, whether it is well formed, and how many may come.
import {
  type CommandFrame,
  type CommandName,
  type ErrorCode,
  limits,
  socketCommands,
} from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseBody } from '../body.ts';
import { faultOf } from '../validation.ts';

export type CommandId = string | number | null;

export type ReadCommand = {
  readonly [Name in CommandName]: {
    readonly ok: true;
    readonly op: Name;
    readonly id: CommandId;
    readonly frame: CommandFrame<Name>;
  };
}[CommandName];

interface BadFrame {
  readonly ok: false;
  readonly op: string | null;
  readonly id: CommandId;
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
}

export function readCommand(bytes: Buffer): ReadCommand | BadFrame {
  let parsed: unknown;
  try {
    parsed = parseBody(bytes);
  } catch {
    return bad(null, null, 'BAD_REQUEST', { reason: 'not_json' });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return bad(null, null, 'BAD_REQUEST', { reason: 'not_an_object' });
  }
  const { op, method, id: rawId } = parsed as Record<string, unknown>;
  const id = isId(rawId) ? rawId : null;
  const name = op ?? method;
  if (name === undefined) return bad(null, id, 'MISSING_FIELD', { field: 'op' });
  const said = typeof name === 'string' ? name.slice(0, NAME_LENGTH_MAX) : null;
  if (op !== undefined && method !== undefined && op !== method) {
    return bad(said, id, 'BAD_REQUEST', { reason: 'op_and_method_differ' });
  }
  if (!isCommandName(name)) {
    const expected = `one of ${Object.keys(socketCommands).join(', ')}`;
    return bad(said, id, 'VALIDATION_FAILED', { field: 'op', expected });
  }
  const check = checks[name];
  if (!check(parsed)) {
    const { code, details } = faultOf(check.errors ?? [], 'frame');
    return bad(name, id, code, { ...details });
  }
  return { ok: true, op: name, id, frame: parsed } as ReadCommand;
}

/** So many frames at once, and so many per second after that. */
export class FrameBucket {
  readonly #clock: Clock;
  #tokens: number = limits.socket.framesBurst;
  #filledAtMs: number;
  #dropped = 0;
  /** Refused since the last pause in which half of the bucket filled up. */
  refusedInRow = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#filledAtMs = clock.monotonicMs();
  }

  /** Whether the frame may be read. */
  take(): boolean {
    const nowMs = this.#clock.monotonicMs();
    const grown = ((nowMs - this.#filledAtMs) * limits.socket.framesPerSecond) / 1000;
    this.#tokens = Math.min(limits.socket.framesBurst, this.#tokens + grown);
    this.#filledAtMs = nowMs;
    if (this.#tokens >= limits.socket.framesBurst / 2) this.refusedInRow = 0;
    if (this.#tokens < 1) {
      this.#dropped += 1;
      this.refusedInRow += 1;
      return false;
    }
    this.#tokens -= 1;
    return true;
  }

  /** A frame that was read costs as much as so many more. */
  charge(frames: number): void {
    this.#tokens -= frames;
  }

  get retryAfterMs(): number {
    return Math.ceil(((1 - this.#tokens) * 1000) / limits.socket.framesPerSecond);
  }

  /** How many were dropped since this was last asked. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}

const NAME_LENGTH_MAX = 64;

// Errors carry their schema, which may have words for what is expected.
const ajv = new Ajv({ strict: false, formats: { int64: true }, verbose: true });
const checks = Object.fromEntries(
  Object.values(socketCommands).map(({ name, frame }) => [name, ajv.compile(frame)]),
) as unknown as Readonly<Record<CommandName, ValidateFunction>>;

function isCommandName(name: unknown): name is CommandName {
  return typeof name === 'string' && Object.hasOwn(socketCommands, name);
}

function isId(id: unknown): id is string | number {
  if (typeof id === 'string') return id.length <= limits.socket.commandIdLengthMax;
  return Number.isSafeInteger(id);
}

function bad(
  op: string | null,
  id: CommandId,
  code: ErrorCode,
  details: BadFrame['details'],
): BadFrame {
  return { ok: false, op, id, code, details };
}
