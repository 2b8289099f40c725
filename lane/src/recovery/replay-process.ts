// A replay in a process of its own: a second state as large as the lane's never counts to the memory of the server, is
// given back whole when the replay ends, and cannot take the server with it when there is no memory left.
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ThreadFeed } from './replay-thread.ts';

/** Orders go first where cores are few: a replay has minutes for what they have milliseconds for. */
const NICENESS = 10;
const ERRORS_KEPT = 4096;

/** Speaks like a worker thread that runs the same program. */
export class ReplayProcess extends EventEmitter {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #errors = '';

  constructor(program: URL, directory: string) {
    super();
    // Not with the flags of the server, whose heap is made to be large.
    this.#child = fork(fileURLToPath(program), [directory], {
      serialization: 'advanced',
      execArgv: ['--disable-proto=delete'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const child = this.#child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-ERRORS_KEPT);
    });
    child.once('spawn', () => this.#giveWay());
    child.on('message', (message) => this.emit('message', message));
    child.on('error', (error) => this.emit('error', error));
    this.#ended = new Promise((resolve) => {
      child.once('close', () => {
        const [, reason] = /^\w*Error: (.*)$/m.exec(this.#errors) ?? [];
        if (reason !== undefined && this.listenerCount('error') > 0) {
          this.emit('error', new Error(reason));
        }
        this.emit('exit');
        resolve();
      });
    });
  }

  postMessage(feed: ThreadFeed): void {
    this.#child.send(feed, () => undefined);
  }

  async terminate(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #giveWay(): void {
    try {
      if (this.#child.pid !== undefined) setPriority(this.#child.pid, NICENESS);
    } catch {
      // It has ended already, or the system does not allow it: then it runs like any other.
    }
  }
}
