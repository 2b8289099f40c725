// Progress on the terminal, one bar after the other.
import type { CopyProgress } from '@sibyl/server';
import type { Bar, Terminal } from '../terminal.ts';

/** As lanes and phases follow each other. */
export class Bars {
  readonly #terminal: Terminal;
  readonly #verb: string;
  #current: { readonly lane: string; readonly bar: Bar; seq: number } | null = null;

  constructor(terminal: Terminal, verb: string) {
    this.#terminal = terminal;
    this.#verb = verb;
  }

  readonly progress: CopyProgress = (lane, { seq, headSeq }) => {
    if (this.#current?.lane !== lane || seq < this.#current.seq) {
      this.end();
      this.#current = { lane, bar: this.#terminal.bar(`${this.#verb} ${lane}`), seq };
    }
    this.#current.seq = seq;
    this.#current.bar.update(seq / Math.max(1, headSeq), `${seq} of ${headSeq}`);
  };

  end(): void {
    this.#current?.bar.end(`${this.#current.seq} commands`);
    this.#current = null;
  }
}
