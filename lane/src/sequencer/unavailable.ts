// What a caller gets when a lane cannot take a command or answer a read.

export type UnavailableCode = 'SERVICE_UNAVAILABLE' | 'READ_ONLY_MODE';

/** The command was not sequenced, or its fate is unknown; a retry with the same key is safe. */
export class LaneUnavailable extends Error {
  override readonly name = 'LaneUnavailable';
  /** The interface's error code of the same name. */
  readonly code: UnavailableCode;

  constructor(code: UnavailableCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What went wrong, as far as it says. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
