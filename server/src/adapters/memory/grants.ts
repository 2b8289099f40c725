// Grants, codes and tokens in memory: the reference that the durable store is held against, and for tests.
import {
  type CodeRecord,
  type Delegated,
  type Exchanged,
  type GrantAddition,
  type GrantEnd,
  type GrantPage,
  type GrantRecord,
  type GrantStore,
  holdsAt,
  type TokenPair,
  type TokenRecord,
} from '../../ports/grants.ts';
import type { SavedAnswer } from '../../ports/platform.ts';

export interface GrantMemory {
  save(saved: SavedAnswer | undefined): void;
  changed(grantId: string): void;
}

export class MemoryGrantStore implements GrantStore {
  readonly #grants = new Map<string, GrantRecord>();
  readonly #codes = new Map<string, CodeRecord>();
  readonly #tokens = new Map<string, TokenRecord>();
  readonly #memory: GrantMemory;

  constructor(memory: GrantMemory) {
    this.#memory = memory;
  }

  async add(
    grant: GrantRecord,
    code: CodeRecord | null,
    max: number,
    saved?: SavedAnswer,
  ): Promise<GrantAddition> {
    const own = [...this.#grants.values()].filter(({ userId }) => userId === grant.userId);
    if (own.filter((one) => holdsAt(one, grant.createdAtMs)).length >= max) return 'too_many';
    this.#grants.set(grant.grantId, Object.freeze({ ...grant }));
    if (code !== null) this.#codes.set(code.publicId, Object.freeze({ ...code }));
    this.#memory.save(saved);
    this.#memory.changed(grant.grantId);
    return 'added';
  }

  async grantById(grantId: string): Promise<GrantRecord | null> {
    return this.#grants.get(grantId) ?? null;
  }

  async grantsOf(
    userId: string,
    { limit, inForceAtMs, after }: GrantPage,
  ): Promise<readonly GrantRecord[]> {
    return [...this.#grants.values()]
      .filter((grant) => grant.userId === userId)
      .filter((grant) => inForceAtMs === null || holdsAt(grant, inForceAtMs))
      .filter((grant) => after === null || newestFirst(after, grant) < 0)
      .sort(newestFirst)
      .slice(0, limit);
  }

  async delegations({ partnerId, accountId, lane }: Delegated): Promise<readonly GrantRecord[]> {
    return [...this.#grants.values()]
      .filter((grant) => grant.partnerId === partnerId && grant.accountId === accountId)
      .filter((grant) => grant.lane === lane && grant.revokedAtMs === null)
      .sort((one, other) => other.expiresAtMs - one.expiresAtMs || newestFirst(one, other));
  }

  async over(grantIds: readonly string[], atMs: number): Promise<readonly GrantRecord[]> {
    const found = grantIds.flatMap((grantId) => this.#grants.get(grantId) ?? []);
    return found.filter((grant) => !holdsAt(grant, atMs));
  }

  async codeById(publicId: string): Promise<CodeRecord | null> {
    return this.#codes.get(publicId) ?? null;
  }

  async tokenById(publicId: string): Promise<TokenRecord | null> {
    return this.#tokens.get(publicId) ?? null;
  }

  async exchangeCode(
    codeId: string,
    issued: TokenPair,
    lastsUntilMs: number,
    atMs: number,
  ): Promise<Exchanged> {
    const code = this.#codes.get(codeId);
    const isFirst = code !== undefined && code.consumedAtMs === null;
    if (isFirst) {
      this.#codes.set(codeId, { ...code, consumedAtMs: atMs });
      const grant = this.#grants.get(code.grantId)!;
      this.#grants.set(grant.grantId, { ...grant, expiresAtMs: lastsUntilMs });
    }
    return this.#issue(issued, isFirst, 'code_reused', atMs);
  }

  async rotate(refreshId: string, issued: TokenPair, atMs: number): Promise<Exchanged> {
    const token = this.#tokens.get(refreshId);
    const isFirst = token !== undefined && token.kind === 'refresh' && token.usedAtMs === null;
    if (isFirst) this.#tokens.set(refreshId, { ...token, usedAtMs: atMs });
    return this.#issue(issued, isFirst, 'refresh_token_reused', atMs);
  }

  async end(
    grantId: string,
    why: GrantEnd,
    atMs: number,
    saved?: SavedAnswer,
  ): Promise<GrantRecord | null> {
    const grant = this.#grants.get(grantId);
    this.#memory.save(saved);
    if (grant === undefined) return null;
    this.endAll((one) => one.grantId === grantId, why, atMs);
    return this.#grants.get(grantId)!;
  }

  async revokeToken(publicId: string, atMs: number): Promise<void> {
    const token = this.#tokens.get(publicId);
    if (token === undefined || token.revokedAtMs !== null) return;
    this.#tokens.set(publicId, { ...token, revokedAtMs: atMs });
    this.#memory.changed(token.grantId);
  }

  async touch(uses: ReadonlyMap<string, number>): Promise<void> {
    for (const [grantId, atMs] of uses) {
      const grant = this.#grants.get(grantId);
      if (grant === undefined || (grant.lastUsedAtMs ?? 0) >= atMs) continue;
      this.#grants.set(grantId, { ...grant, lastUsedAtMs: atMs });
    }
  }

  async prune(beforeMs: number): Promise<void> {
    for (const records of [this.#codes, this.#tokens]) {
      for (const [id, { expiresAtMs }] of records) if (expiresAtMs < beforeMs) records.delete(id);
    }
  }

  /** The first end stands; those that end now are told. */
  endAll(isMeant: (grant: GrantRecord) => boolean, why: GrantEnd, atMs: number): void {
    for (const grant of this.#grants.values()) {
      if (grant.revokedAtMs !== null || !isMeant(grant)) continue;
      this.#grants.set(grant.grantId, { ...grant, revokedAtMs: atMs, revokedFor: why });
      this.#memory.changed(grant.grantId);
    }
  }

  #issue(
    { access, refresh }: TokenPair,
    isFirst: boolean,
    reused: GrantEnd,
    atMs: number,
  ): Exchanged {
    const { grantId } = access;
    if (!isFirst) {
      this.endAll((grant) => grant.grantId === grantId, reused, atMs);
      return 'reused';
    }
    if (this.#grants.get(grantId)?.revokedAtMs !== null) return 'over';
    for (const token of [access, refresh]) {
      this.#tokens.set(token.publicId, Object.freeze({ ...token }));
    }
    return 'exchanged';
  }
}

type Aged = Pick<GrantRecord, 'createdAtMs' | 'grantId'>;

function newestFirst(one: Aged, other: Aged): number {
  return other.createdAtMs - one.createdAtMs || (one.grantId > other.grantId ? -1 : 1);
}
