// Shows on stderr which step runs and how far along the run is: a bar on a terminal, lines elsewhere.

const BAR_WIDTH = 24;
const REFRESH_MS = 500;

export class Progress {
  readonly #total: number;
  readonly #started = performance.now();
  readonly #terminal = process.stderr.isTTY === true;
  #done = 0;
  #label = '';
  #stepSeconds = 0;
  #stepStarted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(expectedSeconds: number) {
    this.#total = expectedSeconds;
  }

  begin(label: string, expectedSeconds: number): void {
    this.#label = label;
    this.#stepSeconds = expectedSeconds;
    this.#stepStarted = performance.now();
    if (this.#terminal) {
      this.#draw();
      this.#timer = setInterval(() => this.#draw(), REFRESH_MS);
    }
  }

  /** Steps of no length, such as the end of a process, leave no line. */
  complete(): void {
    clearInterval(this.#timer);
    const seconds = (performance.now() - this.#stepStarted) / 1000;
    this.#done += this.#stepSeconds;
    if (!this.#terminal && this.#stepSeconds > 0) {
      const share = Math.floor((100 * this.#done) / this.#total);
      process.stderr.write(
        `${String(share).padStart(3)} %  ${this.#label} (${seconds.toFixed(1)} s)\n`,
      );
    }
  }

  finish(): void {
    clearInterval(this.#timer);
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    if (this.#terminal) process.stderr.write('\r\x1b[K');
    process.stderr.write(`bench: done in ${seconds} s\n`);
  }

  /** A step that takes longer than expected holds the bar just short of its end. */
  #draw(): void {
    const inStep = Math.min((performance.now() - this.#stepStarted) / 1000, this.#stepSeconds);
    const reached = this.#done + inStep;
    const share = Math.min(1, reached / this.#total);
    const filled = Math.floor(share * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    const left = Math.max(1, Math.round(this.#total - reached));
    const text = `${bar} ${Math.floor(share * 100)} %, about ${left} s left: ${this.#label}`;
    process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }
}
