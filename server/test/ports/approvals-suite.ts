// What every store of operators must do with acts that wait, and with the trail.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyedSecrets } from '../../src/adapters/node/secrets.ts';
import type { ApprovalRecord, EndedAct } from '../../src/ports/approvals.ts';
import type { OperatorRecord, OperatorStore } from '../../src/ports/operators.ts';
import { linkOf, verifyTrail } from '../../src/stores/trail-chain.ts';
import type { OperatorStoreHarness } from './operators-suite.ts';

const approval = (id: string, change: Partial<ApprovalRecord> = {}): ApprovalRecord => ({
  approvalId: `apr_${id}`,
  ...{ operation: 'ruleResolution', role: 'market_manager', lane: 'live', target: '/x' },
  ...{ input: '{"body":{}}', reason: 'ticket', proposedBy: 'opr_ada' },
  ...{ createdAtMs: 100, expiresAtMs: 900, confirmableAtMs: null, state: 'waiting' },
  ...{ startedAtMs: null, decidedBy: null, decisionReason: null, decidedAtMs: null },
  outcome: null,
  ...change,
});
const decision = { by: 'opr_bea', reason: 'checked', atMs: 200 };
const act = (requestId: string, change: Partial<EndedAct> = {}): EndedAct => ({
  ...{ requestId, operatorId: 'opr_ada', roles: ['support', 'admin'], operation: 'haltMarket' },
  ...{ lane: 'live', target: '/admin/v1/x', what: '{"a":1}', reason: 'ticket' },
  ...{ atMs: 100, outcome: 'ok' },
  ...change,
});
const never = () => false;
const always = () => true;
const everything = { operatorId: null, operation: null, lane: null };

export function describeApprovals(
  name: string,
  prepare: () => Promise<OperatorStoreHarness>,
): void {
  describe(`approvals and trail (${name})`, () => {
    let harness: OperatorStoreHarness;
    let store: OperatorStore;
    const secrets = new KeyedSecrets(randomBytes(32));
    beforeEach(async () => {
      harness = await prepare();
      store = await harness.open();
    });
    afterEach(async () => {
      await store.close();
      await harness.dispose();
    });

    it('[OP45] keeps every field of what waits, newest first, and by state', async () => {
      const { approvals } = store;
      const one = approval('1', { lane: null, confirmableAtMs: 500 });
      const two = approval('2', { createdAtMs: 101, proposedBy: 'token' });
      for (const record of [one, two]) await approvals.add(record, never);
      expect(await approvals.byId('apr_1')).toEqual(one);
      expect(await approvals.byId('apr_9')).toBe(null);
      expect(await approvals.list(null, 10)).toEqual([two, one]);
      expect(await approvals.list(null, 1)).toEqual([two]);
      expect(await approvals.list('done', 10)).toEqual([]);
      expect(await approvals.takeOver('apr_1', 'opr_bea', 700)).toBe(null);
      expect(await approvals.takeOver('apr_2', 'opr_bea', 700)).toEqual({
        ...two,
        proposedBy: 'opr_bea',
        confirmableAtMs: 700,
      });
    });

    it('[OP45] gives what waits to one of many, and nothing is ended that may have run', async () => {
      const { approvals } = store;
      await approvals.add(approval('1'), never);
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => approvals.claim('apr_1', decision, always)),
      );
      expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
      expect(await approvals.end('apr_1', 'rejected', decision)).toBe(null);
      await approvals.reopen();
      expect(await approvals.byId('apr_1')).toMatchObject({ state: 'waiting', startedAtMs: 200 });
      expect(await approvals.end('apr_1', 'withdrawn', decision)).toBe(null);
      await approvals.claim('apr_1', { ...decision, atMs: 300 }, always);
      await approvals.settle('apr_1', 'done', '{"data":1}');
      await approvals.settle('apr_1', 'failed', '{}');
      const done = { state: 'done', startedAtMs: 200, decidedAtMs: 300, outcome: '{"data":1}' };
      expect(await approvals.byId('apr_1')).toMatchObject(done);
      await approvals.add(approval('2'), never);
      expect(await approvals.end('apr_2', 'expired', decision)).toMatchObject({ state: 'expired' });
      expect(await approvals.claim('apr_2', decision, always)).toBe(null);
    });

    it('[OP67] adds one of many that are the same, as long as that one waits or runs', async () => {
      const { approvals } = store;
      const others: string[] = [];
      const isSame = (other: ApprovalRecord): boolean => others.push(other.approvalId) > 0;
      const ids = ['1', '2', '3', '4'];
      const added = await Promise.all(ids.map((id) => approvals.add(approval(id), isSame)));
      expect(added.filter((known) => known === null)).toHaveLength(1);
      const [first] = await approvals.list('waiting', 10);
      expect(new Set(others)).toEqual(new Set([first?.approvalId]));
      const again = () => approvals.add(approval('9'), always);
      await approvals.claim(first!.approvalId, decision, always);
      expect(await again()).toMatchObject({ state: 'running' });
      await approvals.settle(first!.approvalId, 'done', '{}');
      // What is about something else is not even asked about.
      await approvals.add(approval('5', { target: '/admin/v1/elsewhere' }), always);
      await approvals.add(approval('6', { operation: 'another' }), always);
      expect(await again()).toBe(null);
    });

    it('[OP68] gives what waits away only while the operators are as they must be', async () => {
      const { approvals } = store;
      await approvals.add(approval('1'), never);
      const newcomer = {
        ...{ operatorId: 'opr_bea', name: 'bea', passwordHash: 'hash', roles: ['admin'] },
        ...{ passwordIssued: true, former: null },
        ...{ createdAtMs: 1, disabledAtMs: null, factorResetAtMs: null, userId: null },
      };
      await store.addOperator(newcomer);
      const seen: (readonly OperatorRecord[])[] = [];
      const isFit = (all: readonly OperatorRecord[]): boolean => seen.push(all) > 1;
      expect(await approvals.claim('apr_1', decision, isFit)).toBe(null);
      expect(await approvals.byId('apr_1')).toMatchObject({ state: 'waiting', startedAtMs: null });
      expect(await approvals.claim('apr_1', decision, isFit)).toMatchObject({ state: 'running' });
      expect(seen).toEqual([[newcomer], [newcomer]]);
    });

    it('[OP46] chains what many add at once, without a gap, and drops the notes of it', async () => {
      const { trail } = store;
      expect(await verifyTrail(trail, secrets)).toBe(0);
      const { atMs: _at, outcome: _outcome, ...first } = act('req_0');
      const left = { ...first, requestId: 'req_left', lane: null, reason: null, roles: [] };
      for (const begun of [first, left]) await trail.begin(begun);
      const acts = Array.from({ length: 10 }, (_none, at) =>
        act(`req_${at}`, at === 3 ? { lane: 'sandbox', operatorId: 'token', reason: null } : {}),
      );
      await Promise.all(acts.map((one) => trail.append(linkOf(secrets, one))));
      expect(await verifyTrail(trail, secrets)).toBe(10);
      expect(await trail.begun()).toEqual([left]);
      const read = await trail.read(4, 3, everything);
      expect(read.map(({ seq }) => seq)).toEqual([5, 6, 7]);
      const newest = await trail.readBack(null, 2, everything);
      expect(newest.map(({ seq }) => seq)).toEqual([10, 9]);
      const older = await trail.readBack(9, 2, everything);
      expect(older.map(({ seq }) => seq)).toEqual([8, 7]);
      const filter = { ...everything, lane: 'sandbox', operatorId: 'token' };
      expect(await trail.readBack(null, 10, filter)).toHaveLength(1);
      const [found] = await trail.read(0, 10, filter);
      expect(found).toMatchObject(
        act('req_3', { lane: 'sandbox', operatorId: 'token', reason: null }),
      );
      expect(await trail.read(0, 10, { ...everything, operation: 'none' })).toEqual([]);
      const others = new KeyedSecrets(randomBytes(32));
      await expect(verifyTrail(trail, others)).rejects.toThrow('without the secrets');
      await trail.drop('req_3');
      expect(await trail.begun()).toEqual([left]);
      await trail.drop('req_left');
      expect([await trail.begun(), await verifyTrail(trail, secrets)]).toEqual([[], 10]);
    });
  });
}
