// What a command shows: bars and words for people, one JSON document for programs.

import { progress } from '@clack/prompts';
import colors from 'picocolors';

export interface Bar {
  /** From 0 to 1. */
  readonly update: (done: number, text: string) => void;
  readonly end: (text: string) => void;
  readonly fail: (text: string) => void;
}

export class Terminal {
  readonly #isJson: boolean;
  #unfinished: Bar | null = null;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  get isJson(): boolean {
    return this.#isJson;
  }

  /** Goes to standard error, so that standard output stays clean. */
  bar(title: string): Bar {
    if (this.#isJson) return silentBar;
    const bar = process.stderr.isTTY ? movingBar(title) : lineBar(title);
    this.#unfinished = bar;
    const finish = (last: (text: string) => void, text: string): void => {
      this.#unfinished = null;
      last(text);
    };
    return {
      update: bar.update,
      end: (text) => finish(bar.end, text),
      fail: (text) => finish(bar.fail, text),
    };
  }

  /** Before the end of a command that failed: a bar that still moves would keep the program from ending. */
  stop(): void {
    this.#unfinished?.fail('failed');
    this.#unfinished = null;
  }

  /** The result: the value as JSON, or the words. */
  result(value: unknown, words: readonly string[]): void {
    process.stdout.write(this.#isJson ? `${JSON.stringify(value)}\n` : lines(words));
  }

  /** One of many values: a line each. */
  entry(value: unknown, words: string): void {
    process.stdout.write(this.#isJson ? `${JSON.stringify(value)}\n` : `${words}\n`);
  }

  problem(code: string, message: string, advice: string | null = null): void {
    const text = this.#isJson
      ? JSON.stringify({ error: { code, message, ...(advice !== null && { advice }) } })
      : `${colors.red('error')} ${message}${advice === null ? '' : `\n  → ${advice}`}`;
    process.stderr.write(`${text}\n`);
  }

  /** For people alone: a program reads the answer. */
  note(text: string): void {
    if (!this.#isJson) process.stderr.write(`${text}\n`);
  }
}

const silentBar: Bar = { update: () => undefined, end: () => undefined, fail: () => undefined };
const BAR_STEPS = 100;

function movingBar(title: string): Bar {
  const bar = progress({ max: BAR_STEPS, output: process.stderr });
  bar.start(title);
  let shown = 0;
  return {
    update(done, text) {
      const step = Math.floor(done * BAR_STEPS);
      if (step <= shown) return;
      bar.advance(step - shown, `${title} ${text}`);
      shown = step;
    },
    end: (text) => bar.stop(`${title} ${text}`),
    fail: (text) => bar.error(`${title} ${text}`),
  };
}

function lineBar(title: string): Bar {
  const write = (text: string): void => {
    process.stderr.write(`${title} ${text}\n`);
  };
  return { update: () => undefined, end: write, fail: write };
}

function lines(words: readonly string[]): string {
  return words.map((line) => `${line}\n`).join('');
}
