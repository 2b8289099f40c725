// What every store of operators must do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  OperatorRecord,
  OperatorSessionRecord,
  OperatorStore,
} from '../../src/ports/operators.ts';
import { begunBy, describeAuthenticators } from './authenticators-suite.ts';

export interface OperatorStoreHarness {
  open(): Promise<OperatorStore>;
  readonly isDurable: boolean;
  dispose(): Promise<void>;
}

const operator = (id: string, change: Partial<OperatorRecord> = {}): OperatorRecord => ({
  operatorId: `opr_${id}`,
  name: id,
  passwordHash: `hash of ${id}`,
  passwordIssued: true,
  roles: ['viewer'],
  createdAtMs: 100,
  disabledAtMs: null,
  former: null,
  factorResetAtMs: null,
  userId: null,
  ...change,
});

const session = (
  id: string,
  operatorId: string,
  change: Partial<OperatorSessionRecord> = {},
): OperatorSessionRecord => ({
  sessionId: `ops_${id}`,
  tokenHash: `token of ${id}`,
  operatorId,
  createdAtMs: 100,
  expiresAtMs: 1_000,
  usedAtMs: 100,
  steppedUpAtMs: null,
  endedAtMs: null,
  ...change,
});

export function describeOperatorStore(
  name: string,
  prepare: () => Promise<OperatorStoreHarness>,
): void {
  describe(`store of operators (${name})`, () => {
    let harness: OperatorStoreHarness;
    let store: OperatorStore;
    beforeEach(async () => {
      harness = await prepare();
      store = await harness.open();
    });
    afterEach(async () => {
      await store.close();
      await harness.dispose();
    });

    it('[OP41] keeps every field of an operator, in the order of their coming, one of each name', async () => {
      const grace = operator('grace', { roles: ['support', 'treasurer'], createdAtMs: 300 });
      const ada = operator('Ada', { roles: ['admin'], createdAtMs: 200 });
      expect(await store.addOperator(grace)).toBe(true);
      expect(await store.addOperator(ada)).toBe(true);
      expect(await store.addOperator(operator('other', { name: 'ADA' }))).toBe(false);
      expect(await store.operators()).toEqual([ada, grace]);
      expect(await store.operatorById(grace.operatorId)).toEqual(grace);
      expect(await store.operatorByName('aDA')).toEqual(ada);
      expect(await store.operatorById('opr_nobody')).toBe(null);
      expect(await store.operatorByName('nobody')).toBe(null);
    });

    it('[OP41] leaves an admin, whoever is changed or disabled, also at once', async () => {
      await store.addOperator(operator('ada', { roles: ['admin'] }));
      await store.addOperator(operator('bea', { roles: ['admin', 'support'], createdAtMs: 101 }));
      expect(await store.setRoles('opr_nobody', ['admin'], 0)).toBe('unknown');
      expect(await store.disableOperator('opr_nobody', 500)).toBe('unknown');
      const both = await Promise.all([
        store.setRoles('opr_ada', ['viewer'], 0),
        store.disableOperator('opr_bea', 500),
      ]);
      expect(both.filter((change) => change === 'last_admin')).toHaveLength(1);
      const admins = (await store.operators()).filter(
        ({ roles, disabledAtMs }) => roles.includes('admin') && disabledAtMs === null,
      );
      expect(admins).toHaveLength(1);
    });

    it('[OP41] ends the sessions of whoever is disabled, and begins no other', async () => {
      await store.addOperator(operator('ada', { roles: ['admin'] }));
      await store.addOperator(operator('bea'));
      expect(await store.addSession(session('b', 'opr_bea'), 'hash of bea')).toBe(true);
      expect(await store.disableOperator('opr_bea', 500)).toMatchObject({ disabledAtMs: 500 });
      expect(await store.disableOperator('opr_bea', 600)).toMatchObject({ disabledAtMs: 500 });
      expect(await store.sessionById('ops_b')).toMatchObject({ endedAtMs: 500 });
      expect(await store.addSession(session('c', 'opr_bea'), 'hash of bea')).toBe(false);
    });

    it('[OP77] links an operator to a user, and unlinks it', async () => {
      await store.addOperator(operator('ada'));
      expect(await store.setUser('opr_nobody', 'usr_1')).toBe('unknown');
      expect(await store.setUser('opr_ada', 'usr_1', () => false)).toBe('refused');
      expect(await store.setUser('opr_ada', 'usr_1')).toMatchObject({ userId: 'usr_1' });
      expect(await store.operatorById('opr_ada')).toMatchObject({ userId: 'usr_1' });
      expect(await store.setUser('opr_ada', null)).toMatchObject({ userId: null });
    });

    it('[OP42] keeps every field of a session, and lists those in force, newest first', async () => {
      await store.addOperator(operator('ada'));
      const first = session('a', 'opr_ada', { steppedUpAtMs: 150 });
      const second = session('b', 'opr_ada', { createdAtMs: 200 });
      for (const one of [first, second]) await store.addSession(one, 'hash of ada');
      await store.addSession(session('over', 'opr_ada', { expiresAtMs: 400 }), 'hash of ada');
      expect(await store.sessionById('ops_a')).toEqual(first);
      expect(await store.sessionById('ops_none')).toBe(null);
      expect(await store.sessionsOf('opr_ada', 400)).toEqual([second, first]);
      await store.touchSession('ops_a', 300);
      await store.touchSession('ops_a', 200);
      expect(await store.sessionById('ops_a')).toMatchObject({ usedAtMs: 300 });
      await store.endSession('ops_a', 310);
      await store.endSession('ops_a', 320);
      expect(await store.sessionById('ops_a')).toMatchObject({ endedAtMs: 310 });
      expect(await store.sessionsOf('opr_ada', 400)).toEqual([second]);
    });

    it('[OP42] changes a password once for each that was verified, and ends the other sessions', async () => {
      await store.addOperator(operator('ada'));
      for (const id of ['a', 'b']) await store.addSession(session(id, 'opr_ada'), 'hash of ada');
      const change = { operatorId: 'opr_ada', keptSessionId: 'ops_a', atMs: 500 };
      const both = await Promise.all(
        ['one', 'two'].map((passwordHash) =>
          store.changePassword({ ...change, verifiedHash: 'hash of ada', passwordHash }),
        ),
      );
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await store.sessionById('ops_a')).toMatchObject({ endedAtMs: null });
      expect(await store.sessionById('ops_b')).toMatchObject({ endedAtMs: 500 });
      expect(await store.addSession(session('c', 'opr_ada'), 'hash of ada')).toBe(false);
      expect(await store.operatorById('opr_ada')).toMatchObject({ passwordIssued: false });
      const reset = { ...change, keptSessionId: null, verifiedHash: null, passwordHash: 'three' };
      expect(await store.changePassword(reset)).toBe(true);
      expect(await store.sessionById('ops_a')).toMatchObject({ endedAtMs: 500 });
      expect(await store.operatorById('opr_ada')).toMatchObject({ passwordIssued: true });
      expect(await store.changePassword({ ...reset, operatorId: 'opr_nobody' })).toBe(false);
    });

    it('[OP68] asks in the same moment whether a change is allowed, to one of two alone', async () => {
      await store.addOperator(operator('ada', { roles: ['support', 'treasurer'] }));
      const isFirst = ({ roles }: OperatorRecord): boolean => roles.length === 2;
      const both = await Promise.all([
        store.setRoles('opr_ada', ['support'], 0, isFirst),
        store.setRoles('opr_ada', ['treasurer'], 0, isFirst),
      ]);
      expect(both.filter((change) => change === 'refused')).toHaveLength(1);
      expect((await store.operatorById('opr_ada'))?.roles).toHaveLength(1);
      const grant = { userId: 'usr_1', grantedBy: 'opr_ada', reason: 'ticket', atMs: 5 };
      const granted = await Promise.all(
        ['reviewer', 'arbiter'].map((scope) =>
          store.grantScopes({ ...grant, scopes: [scope] }, (held) => held.length === 0),
        ),
      );
      expect(granted.filter(Boolean)).toHaveLength(1);
    });

    it('[OP44] keeps the scopes of a user with who granted them and why', async () => {
      const grant = { userId: 'usr_1', grantedBy: 'opr_ada', reason: 'ticket', atMs: 5 };
      expect(await store.scopesOf('usr_1')).toBe(null);
      await store.grantScopes({ ...grant, scopes: ['reviewer', 'arbiter'] });
      expect(await store.scopesOf('usr_1')).toEqual({ ...grant, scopes: ['reviewer', 'arbiter'] });
      await store.grantScopes({ ...grant, scopes: [], atMs: 6 });
      expect(await store.scopesOf('usr_1')).toEqual({ ...grant, scopes: [], atMs: 6 });
    });

    it('[OP42] drops sessions that are long over, and nothing else', async () => {
      await store.addOperator(operator('ada'));
      await store.addSession(session('a', 'opr_ada'), 'hash of ada');
      await store.addSession(session('b', 'opr_ada', { endedAtMs: 200 }), 'hash of ada');
      await store.prune(1_000);
      expect(await store.sessionById('ops_a')).not.toBe(null);
      expect(await store.sessionById('ops_b')).toBe(null);
    });

    describe('second factors', () => {
      beforeEach(async () => {
        for (const name of ['ada', 'bob']) await store.addOperator(operator(name));
      });

      describeAuthenticators({
        owners: ['opr_ada', 'opr_bob'],
        factors: () => store.factors,
        async reopen() {
          if (!harness.isDurable) return false;
          await store.close();
          store = await harness.open();
          return true;
        },
      });

      it('[OP50] are reset with their codes and all sessions, which is noted until another is enrolled', async () => {
        const { totp, confirmation } = begunBy('opr_ada');
        const enrol = async () => {
          await store.factors.beginTotp(totp);
          await store.factors.confirmTotp(confirmation);
        };
        const resetAtMs = async () => (await store.operatorById('opr_ada'))?.factorResetAtMs;
        expect(await store.resetFactor('opr_nobody', 40)).toBe(false);
        await store.factors.beginTotp(totp);
        expect(await store.resetFactor('opr_ada', 40)).toBe(false);
        await enrol();
        for (const name of ['ada', 'bob'])
          await store.addSession(session(name, `opr_${name}`), `hash of ${name}`);
        const both = [store.resetFactor('opr_ada', 50), store.resetFactor('opr_ada', 60)];
        expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1);
        expect(await resetAtMs()).toBe(50);
        expect(await store.factors.totpOf('opr_ada')).toBeNull();
        expect(await store.factors.recoveryCodesLeft('opr_ada')).toBe(0);
        expect(await store.sessionById('ops_ada')).toMatchObject({ endedAtMs: 50 });
        expect(await store.sessionById('ops_bob')).toMatchObject({ endedAtMs: null });
        await enrol();
        expect(await resetAtMs()).toBeNull();
        expect(await store.factors.removeTotp('opr_ada', 70)).toBe(true);
        expect(await resetAtMs()).toBeNull();
      });
    });

    it('[OP41] has everything again when it is opened anew', async () => {
      if (!harness.isDurable) return;
      const ada = operator('ada', { roles: ['admin'] });
      await store.addOperator(ada);
      await store.addSession(session('a', 'opr_ada'), 'hash of ada');
      await store.close();
      store = await harness.open();
      expect(await store.operators()).toEqual([ada]);
      expect(await store.sessionById('ops_a')).toEqual(session('a', 'opr_ada'));
    });
  });
}
