// Mail to users: what is written, and whoever carries it.

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** It will never be taken, however often it is tried. */
export class LetterRefused extends Error {
  override readonly name = 'LetterRefused';
}

export interface Mail {
  /** Resolves when a server has taken it on; whether it arrives nobody knows. */
  send(letter: Letter): Promise<void>;
  close(): Promise<void>;
}
