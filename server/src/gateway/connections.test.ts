import { Socket } from 'node:net';
import { limits, permissions } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { describe, expect, it } from 'vitest';
import type { Credential, LaneName } from '../handling/handler.ts';
import { Connections } from './connections.ts';
import { afterReading } from './farewell.ts';

const { knownPerAddressMax, perCredentialMax, silentPerAddressMax, strangersPerAddressMax } =
  limits.connection;
const HERE = '192.0.2.1';

function open({ hasLimits = true } = {}): Connections {
  return new Connections({ clock: new ManualClock(0), max: 100, hasLimits });
}

function credential(name: string): Credential {
  return {
    kind: 'session',
    userTier: 'self_serve',
    sessionId: name,
    holderId: name,
    userId: name,
    accounts: { live: asAccountId('acc_1'), sandbox: asAccountId('acc_2') },
    permissions,
    expiresAtMs: 1,
    rateMultiplier: 1,
    isDemo: false,
    createdAtMs: 0,
    steppedUpAtMs: null,
    quotas: { perMinute: limits.rate.perMinute.session, announced: [], untilMs: Infinity },
  };
}

/** So many connections of an address that were let in with the credential, each that of a request of its own. */
function hold(
  all: Connections,
  count: number,
  address: string | null,
  name: string,
  lane: LaneName = 'live',
): number {
  let admitted = 0;
  for (let index = 0; index < count; index += 1) {
    const socket = new Socket();
    if (all.open(socket, address) && all.admitKnown(socket, credential(name), lane)) admitted += 1;
  }
  return admitted;
}

/** The event loop has read what had arrived. */
const haveRead = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => afterReading(resolve)));

describe('shares of the connections', () => {
  it('[CN2] one that is past the announced timeout leaves its place to a newcomer', async () => {
    const clock = new ManualClock(0);
    const all = new Connections({ clock, max: 10_000, hasLimits: true });
    const strange = (): Socket => {
      const socket = new Socket();
      all.open(socket, HERE);
      return socket;
    };
    const first = strange();
    expect(all.admitStranger(first, 'live')).toBe(true);
    for (let second = 0; second < 6; second += 1) clock.advance(1_000);
    for (let count = 1; count < strangersPerAddressMax; count += 1)
      expect(all.admitStranger(strange(), 'live')).toBe(true);
    expect(all.admitStranger(strange(), 'live')).toBe(false);
    clock.advance(1_000);
    expect(all.admitStranger(strange(), 'live')).toBe(true);
    await haveRead();
    expect(first.writableEnded).toBe(true);
    // The others were used within that time.
    expect(all.admitStranger(strange(), 'live')).toBe(false);
    all.close();
  });

  it('[CN2] an address has so many with credentials, whosever they are', () => {
    const all = open();
    const names = Array.from(
      { length: knownPerAddressMax / perCredentialMax },
      (_, at) => `u${at}`,
    );
    for (const name of names)
      expect(hold(all, perCredentialMax, HERE, name)).toBe(perCredentialMax);
    expect(hold(all, 1, HERE, 'another')).toBe(0);
    expect(hold(all, 1, '192.0.2.2', 'another')).toBe(1);
    expect(hold(all, 1, '192.0.2.2', names[0]!)).toBe(0);
  });

  it('[CN2] a connection counts for the credential of its latest request', () => {
    const all = open();
    const socket = new Socket();
    all.open(socket, HERE);
    expect(all.admitKnown(socket, credential('one'), 'live')).toBe(true);
    expect(all.admitKnown(socket, credential('other'), 'live')).toBe(true);
    expect(hold(all, perCredentialMax, HERE, 'one')).toBe(perCredentialMax);
    // It is one of the other's, so one less is left of those.
    expect(hold(all, perCredentialMax, HERE, 'other')).toBe(perCredentialMax - 1);
    expect(all.admitKnown(socket, credential('one'), 'live')).toBe(false);
    expect(all.admitKnown(socket, credential('other'), 'live')).toBe(true);
  });

  it('[RQ17] each lane has its own shares, and a connection counts in the lane of its latest credential', () => {
    const all = open();
    expect(hold(all, perCredentialMax + 1, HERE, 'one', 'live')).toBe(perCredentialMax);
    expect(hold(all, perCredentialMax + 1, HERE, 'one', 'sandbox')).toBe(perCredentialMax);
    const socket = new Socket();
    all.open(socket, HERE);
    expect(all.admitKnown(socket, credential('other'), 'live')).toBe(true);
    expect(all.admitKnown(socket, credential('other'), 'sandbox')).toBe(true);
    expect(hold(all, perCredentialMax, HERE, 'other', 'live')).toBe(perCredentialMax);
    expect(all.admitKnown(socket, credential('other'), 'live')).toBe(false);
    const strangers = (lane: LaneName): number => {
      let admitted = 0;
      for (let count = 0; count <= strangersPerAddressMax; count += 1) {
        const stranger = new Socket();
        if (all.open(stranger, HERE) && all.admitStranger(stranger, lane)) admitted += 1;
        else stranger.destroy();
      }
      return admitted;
    };
    expect(strangers('live')).toBe(strangersPerAddressMax);
    expect(strangers('sandbox')).toBe(strangersPerAddressMax);
  });

  it('[CN2] what a proxy carries, WebSockets, and everything without limits, is not counted', () => {
    expect(hold(open(), knownPerAddressMax + 1, null, 'one')).toBe(knownPerAddressMax + 1);
    const unlimited = open({ hasLimits: false });
    expect(hold(unlimited, knownPerAddressMax + 1, HERE, 'one')).toBe(knownPerAddressMax + 1);
    const all = open();
    for (let count = 0; count < silentPerAddressMax * 2; count += 1) {
      const socket = new Socket();
      expect(all.open(socket, HERE)).toBe(true);
      all.upgrade(socket);
    }
  });

  it('[CN3] the least known go first, then the longest unused, never a WebSocket or one that is owed', async () => {
    const clock = new ManualClock(0);
    const all = new Connections({ clock, max: 100, hasLimits: true });
    const add = (): Socket => {
      const socket = new Socket();
      all.open(socket, HERE);
      return socket;
    };
    const upgraded = add();
    all.upgrade(upgraded);
    const owed = add();
    // Not in the order in which they go.
    const [recent, old, stranger, silent] = [add(), add(), add(), add()];
    const known = Array.from({ length: 88 }, add);
    for (const socket of [old, recent, ...known]) all.admitKnown(socket, credential('one'), 'live');
    all.admitStranger(stranger, 'live');
    clock.advance(1_000);
    for (const socket of [recent, ...known]) all.admitKnown(socket, credential('one'), 'live');
    const names = new Map([
      [upgraded, 'upgraded'],
      [owed, 'owed'],
      [old, 'old'],
      [recent, 'recent'],
      [stranger, 'stranger'],
      [silent, 'silent'],
    ]);
    const closed: string[] = [];
    // There are 94 of 100; with each newcomer from now on, one must go.
    all.isOwed = (socket) => socket === owed;
    for (let count = 0; count < 5; count += 1) {
      all.makeRoom();
      await haveRead();
      for (const [socket, name] of names)
        if (socket.destroyed && names.delete(socket)) closed.push(name);
      all.admitKnown(add(), credential('one'), 'live');
    }
    expect(closed).toEqual(['silent', 'stranger', 'old', 'recent']);
  });

  it('[CN3] where there are only WebSockets and such as are owed, none goes', async () => {
    const all = new Connections({ clock: new ManualClock(0), max: 2, hasLimits: true });
    const [upgraded, owed] = [new Socket(), new Socket()];
    for (const socket of [upgraded, owed]) all.open(socket, HERE);
    all.upgrade(upgraded);
    all.isOwed = (socket) => socket === owed;
    all.makeRoom();
    await haveRead();
    expect([upgraded.destroyed, owed.destroyed]).toEqual([false, false]);
    all.isOwed = () => false;
    all.makeRoom();
    await haveRead();
    expect([upgraded.destroyed, owed.destroyed]).toEqual([false, true]);
  });

  it('[CN1] at the end one stays that is owed an answer, until even the slowest would have had it', async () => {
    const clock = new ManualClock(0);
    const all = new Connections({ clock, max: 100, hasLimits: true });
    const [silent, asking, owed, unread] = [new Socket(), new Socket(), new Socket(), new Socket()];
    for (const socket of [silent, asking, owed, unread]) all.open(socket, HERE);
    for (const socket of [asking, owed, unread]) all.admitStranger(socket, 'live');
    // Of an answer that nobody takes, bytes are left.
    Object.defineProperty(unread, 'writableLength', { value: 1 });
    all.isOwed = (socket) => socket === owed;
    all.part(10_000);
    const gone = () => [silent, asking, owed, unread].map(({ destroyed }) => destroyed);
    expect(gone()).toEqual([true, false, false, false]);
    clock.advance(1_000);
    await haveRead();
    expect(gone()).toEqual([true, true, false, false]);
    for (let second = 2; second < 10; second += 1) clock.advance(1_000);
    expect(gone()).toEqual([true, true, false, false]);
    clock.advance(1_000);
    expect(gone()).toEqual([true, true, true, true]);
  });
});
