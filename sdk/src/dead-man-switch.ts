// Keeps the dead-man switch of the service armed while this program lives: if it dies or loses its way to the service,
// the service cancels its open orders.

import type { SibylClient } from './client.ts';
import { pause } from './pause.ts';

export type SwitchOptions = {
  /** How long the service waits for the next sign of life, 5 s to 5 min; 30 s unless told. */
  readonly timeoutMs?: number;
  /** Guards the orders in one market only; those of the whole account unless told. */
  readonly marketId?: string;
  /** A sign of life did not get through; after `leftMs` the orders are cancelled, at 0 they have been. */
  readonly onFault?: (error: unknown, leftMs: number) => void;
};

/** Signs of life in one timeout: two may be lost. */
const SIGNS_PER_TIMEOUT = 3;
/** Programs that started together spread over this part of the interval. */
const JITTER = 0.2;
const RETRY_MS = 1_000;

export class DeadManSwitch {
  readonly #client: SibylClient;
  readonly #options: SwitchOptions;
  readonly #timeoutMs: number;
  #stopping = new AbortController();
  #expiresAtMs = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(client: SibylClient, options: SwitchOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
  }

  /** Whether the service still waits, by this machine's clock. */
  get isArmed(): boolean {
    return this.#expiresAtMs > Date.now();
  }

  /** Arms the switch; settles once the service has said so, and keeps it armed from then on. */
  async start(): Promise<void> {
    this.#stopping = new AbortController();
    await this.#sign(this.#timeoutMs);
    this.#running = this.#keep(this.#stopping.signal);
  }

  /** Disarms it: orders stay as they are. Leave it armed instead to have them cancelled. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#sign(0);
    this.#expiresAtMs = 0;
  }

  /** Lets go without disarming: the orders are cancelled when the time is up. */
  async abandon(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #sign(timeoutMs: number): Promise<void> {
    const { marketId } = this.#options;
    const sentMs = Date.now();
    await this.#client.orders.heartbeat(
      {
        timeout_ms: timeoutMs,
        ...(marketId !== undefined && { market_id: marketId }),
      },
      // Repeated here, where it is known how much time is left.
      {
        retriesMax: 0,
        timeoutMs: Math.max(RETRY_MS, Math.floor(this.#timeoutMs / SIGNS_PER_TIMEOUT)),
      },
    );
    // The service counts from when it heard, which was later: whoever counts from here is on the safe side.
    this.#expiresAtMs = sentMs + timeoutMs;
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const everyMs = this.#timeoutMs / SIGNS_PER_TIMEOUT;
    let pauseMs = everyMs * (1 - JITTER * Math.random());
    while (await paused(pauseMs, signal)) {
      try {
        await this.#sign(this.#timeoutMs);
        pauseMs = everyMs * (1 - JITTER * Math.random());
      } catch (error) {
        pauseMs = RETRY_MS;
        this.#options.onFault?.(error, Math.max(0, this.#expiresAtMs - Date.now()));
      }
    }
  }
}

/** True after the pause, false as soon as the signal came. */
function paused(durationMs: number, signal: AbortSignal): Promise<boolean> {
  return pause(durationMs, signal).then(
    () => true,
    () => false,
  );
}
