// Approvals and the trail in memory: the reference the durable adapters are held against, and for tests.
import type {
  ApprovalRecord,
  ApprovalStore,
  BegunAct,
  Decision,
  TrailFilter,
  TrailHead,
  TrailLink,
  TrailRecord,
  TrailStore,
} from '../../ports/approvals.ts';
import type { OperatorRecord } from '../../ports/operators.ts';

export class MemoryApprovals implements ApprovalStore {
  readonly #all = new Map<string, ApprovalRecord>();
  readonly #operators: () => readonly OperatorRecord[];

  constructor(operators: () => readonly OperatorRecord[]) {
    this.#operators = operators;
  }

  async add(approval: ApprovalRecord, isSame: (other: ApprovalRecord) => boolean) {
    const { operation, target } = approval;
    const open = [...this.#all.values()].filter(
      (one) =>
        (one.state === 'waiting' || one.state === 'running') &&
        one.operation === operation &&
        one.target === target,
    );
    const known = open.find(isSame);
    if (known === undefined) this.#all.set(approval.approvalId, approval);
    return known ?? null;
  }

  async byId(approvalId: string): Promise<ApprovalRecord | null> {
    return this.#all.get(approvalId) ?? null;
  }

  async list(state: ApprovalRecord['state'] | null, limit: number) {
    return [...this.#all.values()]
      .filter((one) => state === null || one.state === state)
      .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.approvalId < b.approvalId ? -1 : 1))
      .slice(0, limit);
  }

  async takeOver(approvalId: string, operatorId: string, confirmableAtMs: number | null) {
    return this.#change(
      approvalId,
      ({ state, proposedBy }) => state === 'waiting' && proposedBy === 'token',
      { proposedBy: operatorId, confirmableAtMs },
    );
  }

  async claim(
    approvalId: string,
    { by, reason, atMs }: Decision,
    isFit: (operators: readonly OperatorRecord[]) => boolean,
  ) {
    const startedAtMs = this.#all.get(approvalId)?.startedAtMs ?? atMs;
    const isClaimable = ({ state }: ApprovalRecord) =>
      state === 'waiting' && isFit(this.#operators());
    return this.#change(approvalId, isClaimable, {
      state: 'running',
      startedAtMs,
      decidedBy: by,
      decisionReason: reason,
      decidedAtMs: atMs,
    });
  }

  async settle(approvalId: string, state: 'done' | 'failed', outcome: string): Promise<void> {
    this.#change(approvalId, (known) => known.state === 'running', { state, outcome });
  }

  async end(
    approvalId: string,
    state: 'rejected' | 'withdrawn' | 'expired',
    { by, reason, atMs }: Decision,
  ) {
    return this.#change(
      approvalId,
      (known) => known.state === 'waiting' && known.startedAtMs === null,
      { state, decidedBy: by, decisionReason: reason, decidedAtMs: atMs },
    );
  }

  async reopen(): Promise<void> {
    for (const id of this.#all.keys())
      this.#change(id, ({ state }) => state === 'running', { state: 'waiting' });
  }

  #change(
    approvalId: string,
    isFit: (known: ApprovalRecord) => boolean,
    change: Partial<ApprovalRecord>,
  ): ApprovalRecord | null {
    const known = this.#all.get(approvalId);
    if (known === undefined || !isFit(known)) return null;
    const changed = { ...known, ...change };
    this.#all.set(approvalId, changed);
    return changed;
  }
}

export class MemoryTrail implements TrailStore {
  readonly #entries: TrailRecord[] = [];
  readonly #begun = new Map<string, BegunAct>();
  #head: TrailHead | null = null;

  async begin(act: BegunAct): Promise<void> {
    this.#begun.set(act.requestId, act);
  }

  async append(link: TrailLink): Promise<TrailRecord> {
    const { entry, seal } = link(this.#entries.at(-1) ?? null);
    this.#entries.push(entry);
    this.#begun.delete(entry.requestId);
    this.#head = { seq: entry.seq, hash: entry.hash, seal };
    return entry;
  }

  async drop(requestId: string): Promise<void> {
    this.#begun.delete(requestId);
  }

  async begun(): Promise<readonly BegunAct[]> {
    return [...this.#begun.values()];
  }

  async read(afterSeq: number, limit: number, filter: TrailFilter) {
    return this.#found(filter)
      .filter(({ seq }) => seq > afterSeq)
      .slice(0, limit);
  }

  async readBack(beforeSeq: number | null, limit: number, filter: TrailFilter) {
    return this.#found(filter)
      .filter(({ seq }) => beforeSeq === null || seq < beforeSeq)
      .toReversed()
      .slice(0, limit);
  }

  #found(filter: TrailFilter): readonly TrailRecord[] {
    return this.#entries
      .filter(({ operatorId }) => (filter.operatorId ?? operatorId) === operatorId)
      .filter(({ operation }) => (filter.operation ?? operation) === operation)
      .filter(({ lane }) => (filter.lane ?? lane) === lane);
  }

  async head(): Promise<TrailHead | null> {
    return this.#head;
  }
}
