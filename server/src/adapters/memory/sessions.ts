// The list of a user's sessions in memory.
import type { PlatformChange, SessionRecord } from '../../ports/platform.ts';
import type { SessionList } from '../../ports/sessions.ts';

export class MemorySessionList implements SessionList {
  readonly #sessions: Map<string, SessionRecord>;
  readonly #tell: (change: PlatformChange) => void;

  constructor(sessions: Map<string, SessionRecord>, tell: (change: PlatformChange) => void) {
    this.#sessions = sessions;
    this.#tell = tell;
  }

  async of(userId: string, nowMs: number): Promise<readonly SessionRecord[]> {
    return this.#open(userId, nowMs);
  }

  async lastBegunMs(userId: string): Promise<number | null> {
    const begun = [...this.#sessions.values()]
      .filter((session) => session.userId === userId)
      .map(({ createdAtMs }) => createdAtMs);
    return begun.length === 0 ? null : Math.max(...begun);
  }

  async hasBegunFrom(userId: string, network: string): Promise<boolean> {
    return [...this.#sessions.values()].some(
      (session) => session.userId === userId && session.network === network && network !== '',
    );
  }

  async endOthers(userId: string, keptSessionId: string, atMs: number): Promise<number> {
    const ended = this.end(userId, keptSessionId, atMs);
    if (ended > 0) this.#tell({ kind: 'user', userId });
    return ended;
  }

  /** Without telling anybody: for changes that end sessions among other things. */
  end(userId: string, keptSessionId: string, atMs: number): number {
    const others = this.#open(userId, atMs).filter(({ sessionId }) => sessionId !== keptSessionId);
    for (const session of others) {
      this.#sessions.set(session.sessionId, { ...session, endedAtMs: atMs });
    }
    return others.length;
  }

  async touch(seen: ReadonlyMap<string, number>): Promise<void> {
    for (const [sessionId, lastSeenAtMs] of seen) {
      const session = this.#sessions.get(sessionId);
      if (session === undefined || session.lastSeenAtMs >= lastSeenAtMs) continue;
      this.#sessions.set(sessionId, { ...session, lastSeenAtMs });
    }
  }

  #open(userId: string, nowMs: number): SessionRecord[] {
    return [...this.#sessions.values()]
      .filter((session) => session.userId === userId)
      .filter(({ endedAtMs, expiresAtMs }) => endedAtMs === null && expiresAtMs > nowMs)
      .sort((one, other) => other.createdAtMs - one.createdAtMs);
  }
}
