// The store of operators in memory: the reference its durable adapters are held against, and for tests.
import {
  formerAfter,
  type OperatorChange,
  type OperatorPasswordChange,
  type OperatorRecord,
  type OperatorSessionRecord,
  type OperatorStore,
  type ScopeGrant,
} from '../../ports/operators.ts';
import { MemoryApprovals, MemoryTrail } from './approvals.ts';
import { MemoryAuthenticators } from './authenticators.ts';

class OperatorFactors extends MemoryAuthenticators {
  readonly #enrolled: (operatorId: string) => void;

  constructor(enrolled: (operatorId: string) => void) {
    super();
    this.#enrolled = enrolled;
  }

  protected override hasOther(): boolean {
    return false;
  }

  protected override changed(operatorId: string): void {
    this.#enrolled(operatorId);
  }
}

export class MemoryOperatorStore implements OperatorStore {
  readonly approvals = new MemoryApprovals(() => [...this.#operators.values()]);
  readonly trail = new MemoryTrail();
  readonly factors = new OperatorFactors((operatorId) => this.#markReset(operatorId, null));
  readonly #operators = new Map<string, OperatorRecord>();
  readonly #sessions = new Map<string, OperatorSessionRecord>();
  readonly #grants = new Map<string, ScopeGrant>();

  async addOperator(operator: OperatorRecord): Promise<boolean> {
    if ((await this.operatorByName(operator.name)) !== null) return false;
    this.#operators.set(operator.operatorId, operator);
    return true;
  }

  async operators(): Promise<readonly OperatorRecord[]> {
    return [...this.#operators.values()].sort(
      (a, b) => a.createdAtMs - b.createdAtMs || (a.operatorId < b.operatorId ? -1 : 1),
    );
  }

  async operatorById(operatorId: string): Promise<OperatorRecord | null> {
    return this.#operators.get(operatorId) ?? null;
  }

  async operatorByName(name: string): Promise<OperatorRecord | null> {
    const wanted = name.toLowerCase();
    return [...this.#operators.values()].find((one) => one.name.toLowerCase() === wanted) ?? null;
  }

  async setRoles(
    operatorId: string,
    roles: OperatorRecord['roles'],
    atMs: number,
    isAllowed: (known: OperatorRecord) => boolean = () => true,
  ): Promise<OperatorChange> {
    const known = this.#operators.get(operatorId);
    if (known === undefined) return 'unknown';
    if (!isAllowed(known)) return 'refused';
    if (!roles.includes('admin') && this.#isLastAdmin(known)) return 'last_admin';
    const former = formerAfter(known, roles, atMs);
    const changed = { ...known, roles, former };
    this.#operators.set(operatorId, changed);
    return changed;
  }

  async disableOperator(operatorId: string, atMs: number): Promise<OperatorChange> {
    const known = this.#operators.get(operatorId);
    if (known === undefined) return 'unknown';
    if (this.#isLastAdmin(known)) return 'last_admin';
    const changed = { ...known, disabledAtMs: known.disabledAtMs ?? atMs };
    this.#operators.set(operatorId, changed);
    this.#endSessions(operatorId, null, atMs);
    return changed;
  }

  async setUser(
    operatorId: string,
    userId: string | null,
    isAllowed: (known: OperatorRecord) => boolean = () => true,
  ): Promise<OperatorChange> {
    const known = this.#operators.get(operatorId);
    if (known === undefined) return 'unknown';
    if (!isAllowed(known)) return 'refused';
    const changed = { ...known, userId };
    this.#operators.set(operatorId, changed);
    return changed;
  }

  async changePassword(change: OperatorPasswordChange): Promise<boolean> {
    const { operatorId, verifiedHash, passwordHash, keptSessionId, atMs } = change;
    const known = this.#operators.get(operatorId);
    if (known === undefined) return false;
    if (verifiedHash !== null && known.passwordHash !== verifiedHash) return false;
    const passwordIssued = verifiedHash === null;
    this.#operators.set(operatorId, { ...known, passwordHash, passwordIssued });
    this.#endSessions(operatorId, keptSessionId, atMs);
    return true;
  }

  async resetFactor(operatorId: string, atMs: number): Promise<boolean> {
    if (!(await this.factors.removeTotp(operatorId, atMs))) return false;
    this.#markReset(operatorId, atMs);
    this.#endSessions(operatorId, null, atMs);
    return true;
  }

  async addSession(session: OperatorSessionRecord, verifiedHash: string): Promise<boolean> {
    const known = this.#operators.get(session.operatorId);
    if (known?.passwordHash !== verifiedHash || known.disabledAtMs !== null) return false;
    this.#sessions.set(session.sessionId, session);
    return true;
  }

  async sessionById(sessionId: string): Promise<OperatorSessionRecord | null> {
    return this.#sessions.get(sessionId) ?? null;
  }

  async sessionsOf(operatorId: string, nowMs: number): Promise<readonly OperatorSessionRecord[]> {
    return [...this.#sessions.values()]
      .filter((session) => session.operatorId === operatorId)
      .filter(({ endedAtMs, expiresAtMs }) => endedAtMs === null && expiresAtMs > nowMs)
      .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.sessionId < b.sessionId ? -1 : 1));
  }

  async touchSession(sessionId: string, atMs: number): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.usedAtMs >= atMs) return;
    this.#sessions.set(sessionId, { ...session, usedAtMs: atMs });
  }

  async stepUpSession(sessionId: string, atMs: number): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.set(sessionId, { ...session, steppedUpAtMs: atMs });
  }

  async endSession(sessionId: string, atMs: number): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.endedAtMs !== null) return;
    this.#sessions.set(sessionId, { ...session, endedAtMs: atMs });
  }

  async grantScopes(
    grant: ScopeGrant,
    isAllowed: (held: readonly string[]) => boolean = () => true,
  ): Promise<boolean> {
    if (!isAllowed(this.#grants.get(grant.userId)?.scopes ?? [])) return false;
    this.#grants.set(grant.userId, grant);
    return true;
  }

  async scopesOf(userId: string): Promise<ScopeGrant | null> {
    return this.#grants.get(userId) ?? null;
  }

  async prune(beforeMs: number): Promise<void> {
    for (const [id, { endedAtMs, expiresAtMs }] of this.#sessions) {
      if ((endedAtMs ?? expiresAtMs) < beforeMs) this.#sessions.delete(id);
    }
  }

  async copyTo(): Promise<void> {
    throw new Error('there is nothing on disk to copy');
  }

  async close(): Promise<void> {}

  #isLastAdmin(operator: OperatorRecord): boolean {
    const isAdmin = ({ roles, disabledAtMs }: OperatorRecord) =>
      roles.includes('admin') && disabledAtMs === null;
    if (!isAdmin(operator)) return false;
    return [...this.#operators.values()].filter(isAdmin).length === 1;
  }

  #markReset(operatorId: string, factorResetAtMs: number | null): void {
    const known = this.#operators.get(operatorId);
    if (known !== undefined) this.#operators.set(operatorId, { ...known, factorResetAtMs });
  }

  #endSessions(operatorId: string, keptSessionId: string | null, atMs: number): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.operatorId !== operatorId || session.sessionId === keptSessionId) continue;
      if (session.endedAtMs === null)
        this.#sessions.set(session.sessionId, { ...session, endedAtMs: atMs });
    }
  }
}
