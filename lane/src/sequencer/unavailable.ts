// What a caller gets when a lane cannot take a command or answer a read.

export type UnavailableCode = 'SERVICE_UNAVAILABLE' | 'READ_ONLY_MODE';

/** Why, in one word that may be told to anybody; the message is for whoever operates the lane. */
export type UnavailableReason =
  | 'busy'
  | 'closing'
  | 'recovering'
  | 'stopped'
  | 'interrupted'
  | 'read_only'
  | 'history';

/** The command was not sequenced, or its fate is unknown; a retry with the same key is safe. */
export class LaneUnavailable extends Error {
  override readonly name = 'LaneUnavailable';
  /** The interface's error code of the same name. */
  readonly code: UnavailableCode;

  readonly reason: UnavailableReason;

  constructor(code: UnavailableCode, reason: UnavailableReason, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** What went wrong, as far as it says. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
