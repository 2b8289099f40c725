// Mail that goes nowhere: a pile of letters, for tests.
import type { Letter, Mail } from '../../ports/mail.ts';

export class MemoryMail implements Mail {
  readonly letters: Letter[] = [];

  async send(letter: Letter): Promise<void> {
    this.letters.push(letter);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
