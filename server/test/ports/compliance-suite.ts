// What every store of compliance must do, whatever it is kept in; run with the platform store that it is part of.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ComplianceStore, FlagRecord } from '../../src/ports/compliance.ts';
import type { PlatformChange, PlatformStore } from '../../src/ports/platform.ts';
import { type PlatformHarness, user } from './platform-suite.ts';

const rules = (version: number) => ({
  version,
  hash: `hash ${version}`,
  content: '{"gates":[]}',
  actor: 'ops',
  reason: 'ticket ☃',
  atMs: 100 + version,
});

const use = (subject: string, atMs: number, addressHash = 'h1', day = 20_000) =>
  ({ kind: 'sign_up', day, addressHash, subject, atMs }) as const;

const flag = (flagId: string, subject = 'usr_ada', raisedAtMs = 10): FlagRecord => ({
  flagId,
  kind: 'wash_trading',
  ruleId: 'wash',
  subject,
  lane: 'sandbox',
  detail: 'too much',
  blocks: true,
  raisedAtMs,
  clearedAtMs: null,
  clearedBy: null,
  clearReason: null,
});

export function describeCompliance(name: string, create: () => Promise<PlatformHarness>): void {
  describe(`[CP8] compliance store: ${name}`, () => {
    let harness: PlatformHarness;
    let platform: PlatformStore;
    let store: ComplianceStore;
    let changes: PlatformChange[];

    beforeEach(async () => {
      harness = await create();
      platform = await harness.open();
      store = platform.compliance;
      changes = [];
      platform.onChange((change) => changes.push(change));
    });

    afterEach(async () => {
      await platform.close();
      await harness.dispose();
    });

    it('keeps every loading of rules, and tells the last', async () => {
      expect(await store.currentRules()).toBeNull();
      expect(await store.addRules(rules(1))).toBe(true);
      expect(await store.addRules({ ...rules(1), hash: 'other' })).toBe(false);
      expect(await store.addRules(rules(2))).toBe(true);
      expect(await store.currentRules()).toEqual(rules(2));
      if (!harness.isDurable) return;
      await platform.close();
      platform = await harness.open();
      expect(await platform.compliance.currentRules()).toEqual(rules(2));
    });

    it('lets so many come from an address, also at once, and who came before again', async () => {
      const together = ['a', 'b', 'c', 'd'].map((id) => store.claimAddress(use(id, 50), 2, 0));
      expect((await Promise.all(together)).filter((isIn) => isIn)).toHaveLength(2);
      expect(await store.claimAddress(use('a', 60), 2, 0)).toBe(true);
      expect(await store.claimAddress(use('e', 60, 'h2'), 2, 0)).toBe(true);
      expect(await store.claimAddress(use('e', 60, 'h1', 20_001), 2, 0)).toBe(true);
      // Those of before the window do not count.
      expect(await store.claimAddress(use('f', 70), 2, 49)).toBe(false);
      expect(await store.claimAddress(use('f', 70), 2, 50)).toBe(true);
    });

    it('knows who signed up from one address on one day, until that is dropped', async () => {
      for (const id of ['a', 'b']) await store.claimAddress(use(id, 50), 9, 0);
      await store.claimAddress(use('c', 90), 9, 0);
      await store.claimAddress(use('d', 50, 'h2'), 9, 0);
      await store.claimAddress({ ...use('e', 50), kind: 'faucet' }, 9, 0);
      expect(await store.sharedAddress('a', 'b', 0)).toBe(true);
      expect(await store.sharedAddress('a', 'c', 39)).toBe(false);
      expect(await store.sharedAddress('c', 'a', 40)).toBe(true);
      expect(await store.sharedAddress('a', 'd', 100)).toBe(false);
      expect(await store.sharedAddress('a', 'e', 100)).toBe(false);
      await store.pruneAddresses(51);
      expect(await store.sharedAddress('a', 'b', 0)).toBe(false);
    });

    it('[MF20] counts those who came and have closed their account', async () => {
      const ada = user('ada');
      await platform.addUser(ada);
      const drawn = { ...use(ada.accounts.sandbox, 50), kind: 'faucet' } as const;
      expect(await store.claimAddress(use(ada.userId, 50), 1, 0)).toBe(true);
      expect(await store.claimAddress(drawn, 1, 0)).toBe(true);
      expect(await platform.closing.erase(ada.userId, 60)).toBe(true);
      expect(await store.claimAddress(use('usr_eve', 70), 1, 0)).toBe(false);
      expect(await store.claimAddress({ ...drawn, subject: 'acc_eve' }, 1, 0)).toBe(false);
    });

    it('links two, whichever is named first, and parts them', async () => {
      await store.setLink('usr_b', 'usr_a', true);
      await store.setLink('usr_a', 'usr_b', true);
      expect(await store.isLinked('usr_a', 'usr_b')).toBe(true);
      expect(await store.isLinked('usr_a', 'usr_c')).toBe(false);
      await store.setLink('usr_a', 'usr_b', false);
      expect(await store.isLinked('usr_b', 'usr_a')).toBe(false);
    });

    it('raises one open flag of a kind, lists them newest first, and clears each once', async () => {
      expect(await store.raiseFlag(flag('flg_1'))).toBe(true);
      expect(await store.raiseFlag(flag('flg_2'))).toBe(false);
      expect(await store.raiseFlag(flag('flg_3', 'usr_eve', 20))).toBe(true);
      const page = { status: 'open', limit: 10, beforeMs: 100 } as const;
      const ids = async (more: object) =>
        (await store.flags({ ...page, ...more })).map(({ flagId }) => flagId);
      expect(await ids({})).toEqual(['flg_3', 'flg_1']);
      expect(await ids({ limit: 1 })).toEqual(['flg_3']);
      expect(await ids({ beforeMs: 20 })).toEqual(['flg_1']);
      expect(await store.blocksOf('usr_ada')).toEqual([flag('flg_1')]);
      changes.length = 0;
      const clearing = { actor: 'ops', reason: 'looked at', atMs: 70 };
      const cleared = await store.clearFlag('flg_1', clearing);
      expect(cleared).toMatchObject({
        clearedAtMs: 70,
        clearedBy: 'ops',
        clearReason: 'looked at',
      });
      expect(await store.clearFlag('flg_1', { ...clearing, atMs: 90 })).toEqual(cleared);
      expect(changes).toContainEqual({ kind: 'user', userId: 'usr_ada' });
      expect(await store.clearFlag('flg_9', clearing)).toBeNull();
      expect(await store.blocksOf('usr_ada')).toEqual([]);
      expect(await ids({ status: 'cleared' })).toEqual(['flg_1']);
      expect(await ids({ status: 'all' })).toEqual(['flg_3', 'flg_1']);
      expect(await store.raiseFlag(flag('flg_4', 'usr_ada', 30))).toBe(true);
    });

    it('raises a flag beside an open one of another lane, or of one that stops nothing', async () => {
      const mild: FlagRecord = { ...flag('flg_1'), blocks: false };
      expect(await store.raiseFlag(mild)).toBe(true);
      expect(await store.raiseFlag({ ...mild, flagId: 'flg_2' })).toBe(false);
      expect(await store.raiseFlag(flag('flg_3'))).toBe(true);
      expect(await store.raiseFlag({ ...mild, flagId: 'flg_4' })).toBe(false);
      const live: FlagRecord = { ...flag('flg_5', 'usr_ada', 20), lane: 'live' };
      const both: FlagRecord = { ...flag('flg_6', 'usr_ada', 30), lane: null };
      for (const raised of [live, both]) expect(await store.raiseFlag(raised)).toBe(true);
      expect(await store.raiseFlag({ ...both, flagId: 'flg_7' })).toBe(false);
      expect(await store.blocksOf('usr_ada')).toEqual([flag('flg_3'), live, both]);
    });
  });
}
