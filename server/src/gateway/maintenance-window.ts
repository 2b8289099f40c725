// Maintenance of the whole service: announced, begun or over, kept over restarts, and what it stops meanwhile.
import type { AnyOperation, MaintenanceState, Operations } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { ApiError, fail } from '../handling/handler.ts';
import type { PlatformStore } from '../ports/platform.ts';

type MaintenanceEffect = MaintenanceState['effect'];

export interface Maintenance {
  readonly effect: MaintenanceEffect;
  readonly startsAtMs: number;
  /** As far as known: only an operator ends it. */
  readonly endsAtMs: number | null;
  readonly message: string | null;
  readonly actor: string;
  readonly reason: string;
}

type MaintenancePhase = MaintenanceState['phase'];

export interface MaintenanceNews extends Maintenance {
  readonly phase: MaintenancePhase;
}

const SETTING = 'maintenance';

/** How long a client waits when nobody has said how long it takes. */
const RETRY_AFTER_SEC = 60;

/** Timers of the host do not reach further than some weeks. */
const ALARM_MS_MAX = 86_400_000;

export class MaintenanceWindow {
  readonly #platform: PlatformStore;
  readonly #clock: Clock;
  readonly #listeners = new Set<(news: MaintenanceNews) => void>();
  #current: Maintenance | null;
  #hasStarted = false;
  #stopAlarm: () => void = () => undefined;

  static async open(platform: PlatformStore, clock: Clock): Promise<MaintenanceWindow> {
    const text = await platform.setting(SETTING);
    // Written by `#keep`.
    const kept = text === null ? null : (JSON.parse(text) as Maintenance | null);
    return new MaintenanceWindow(platform, clock, kept);
  }

  private constructor(platform: PlatformStore, clock: Clock, kept: Maintenance | null) {
    this.#platform = platform;
    this.#clock = clock;
    this.#current = kept;
    this.#hasStarted = kept !== null && kept.startsAtMs <= clock.wallMs();
    this.#awaitStart();
  }

  /** What is announced or under way; null if nothing is. */
  get news(): MaintenanceNews | null {
    if (this.#current === null) return null;
    return { ...this.#current, phase: this.#hasStarted ? 'started' : 'scheduled' };
  }

  /** Null if the operation works now. */
  refusalOf(operation: AnyOperation): ApiError | null {
    if (!this.#hasStarted || this.#current === null) return null;
    const { effect, endsAtMs } = this.#current;
    if (!isStopped(effect, operation)) return null;
    const leftMs = (endsAtMs ?? 0) - this.#clock.wallMs();
    const waitSec = leftMs > 0 ? Math.ceil(leftMs / 1000) : RETRY_AFTER_SEC;
    return new ApiError('MAINTENANCE', {
      details: { effect, retry_after_sec: waitSec },
      headers: { 'retry-after': String(waitSec) },
    });
  }

  /** From its start on, which may be now. */
  async plan(maintenance: Maintenance): Promise<MaintenanceNews> {
    const isDue = maintenance.startsAtMs <= this.#clock.wallMs();
    return this.#keep(maintenance, isDue ? 'started' : 'scheduled');
  }

  async end({ actor, reason }: Pick<Maintenance, 'actor' | 'reason'>) {
    const ended = this.#current;
    if (ended === null) return fail('STATE_CONFLICT', { reason: 'no maintenance is planned' });
    const endsAtMs = this.#clock.wallMs();
    return this.#keep({ ...ended, endsAtMs, actor, reason }, 'ended');
  }

  onNews(listener: (news: MaintenanceNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopAlarm();
  }

  async #keep(maintenance: Maintenance, phase: MaintenancePhase): Promise<MaintenanceNews> {
    const kept = phase === 'ended' ? null : maintenance;
    await this.#platform.putSetting(SETTING, JSON.stringify(kept));
    this.#current = kept;
    this.#hasStarted = phase === 'started';
    this.#awaitStart();
    const news = { ...maintenance, phase };
    this.#tell(news);
    return news;
  }

  #awaitStart(): void {
    this.#stopAlarm();
    if (this.#current === null || this.#hasStarted) return;
    const leftMs = this.#current.startsAtMs - this.#clock.wallMs();
    const delayMs = Math.max(0, Math.min(leftMs, ALARM_MS_MAX));
    this.#stopAlarm = this.#clock.setAlarm(delayMs, () => this.#check());
  }

  #check(): void {
    const current = this.#current;
    if (current === null) return;
    if (current.startsAtMs > this.#clock.wallMs()) {
      this.#awaitStart();
      return;
    }
    this.#hasStarted = true;
    this.#tell({ ...current, phase: 'started' });
  }

  #tell(news: MaintenanceNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}

/** Cancels, revocations and the end of a session: whatever gets somebody out. */
const WAYS_OUT: ReadonlySet<string> = new Set<keyof Operations>([
  'cancelOrder',
  'cancelAllOrders',
  'revokeKey',
  'deleteWebhook',
  'logOut',
]);

/** Health always answers, so that everybody can see why nothing else does. */
function isStopped(effect: MaintenanceEffect, operation: AnyOperation): boolean {
  const { method, group, readOnlyMode, id } = operation;
  if (group === 'System') return false;
  switch (effect) {
    case 'read_only':
      return readOnlyMode === 'blocked';
    case 'cancel_only':
      return method !== 'GET' && !WAYS_OUT.has(id);
    case 'down':
      return true;
  }
}
