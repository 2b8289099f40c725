import { ManualClock } from '@sibyl/lane/testing';
import { describe, expect, it } from 'vitest';
import type { WebhookOwner } from '../ports/outbound.ts';
import { createGuard, NO_ALLOWANCE, parseAllowance } from './guard.ts';
import { LocalReceivers } from './local-receivers.ts';

const OWN = [8080, 8081];
const ADA: WebhookOwner = { environment: 'sandbox', accountId: 'acc_ada', createdBy: 'sk_test_a' };

function setUp(ranges: readonly string[] = []) {
  const clock = new ManualClock(1_800_000_000_000);
  const receivers = new LocalReceivers(clock, OWN);
  const allowance = ranges.length === 0 ? NO_ALLOWANCE : parseAllowance(ranges);
  const guard = createGuard(allowance, receivers);
  const reaches = (url: string, address: string, of: Partial<WebhookOwner> = {}) => {
    const target = guard.read(url, { ...ADA, ...of });
    return !('refused' in target) && guard.mayDial(target, address);
  };
  return { clock, receivers, reaches };
}

describe('[WU4] a local receiver', () => {
  it('is reached at its address and port, from the sandbox, until it ends', () => {
    const { clock, receivers, reaches } = setUp();
    const url = 'http://127.0.0.1:4400/hooks';
    expect(reaches(url, '127.0.0.1')).toBe(false);
    receivers.allow({ accountId: 'acc_ada', address: '127.0.0.1', port: 4400 }, 60);
    expect(reaches(url, '127.0.0.1')).toBe(true);
    for (const [other, address] of [
      ['http://127.0.0.1:4401/', '127.0.0.1'],
      ['http://127.0.0.2:4400/', '127.0.0.2'],
      ['http://[::1]:4400/', '::1'],
      ['http://localhost:4400/', '127.0.0.1'],
      ['https://example.com/', '127.0.0.1'],
      ['http://10.0.0.1:4400/', '10.0.0.1'],
      ['http://user@127.0.0.1:4400/', '127.0.0.1'],
    ] as const) {
      expect([other, reaches(other, address)]).toEqual([other, false]);
    }
    expect(reaches(url, '127.0.0.2')).toBe(false);
    expect(reaches(url, '127.0.0.1', { environment: 'live' })).toBe(false);
    clock.advance(59_999);
    expect(reaches(url, '127.0.0.1')).toBe(true);
    clock.advance(1);
    expect(reaches(url, '127.0.0.1')).toBe(false);
  });

  it('is reached by webhooks of its account alone, and by none of an app', () => {
    const { receivers, reaches } = setUp();
    const url = 'http://127.0.0.1:4400/hooks';
    const receiver = { accountId: 'acc_ada', address: '127.0.0.1', port: 4400 };
    receivers.allow(receiver, 60);
    expect(reaches(url, '127.0.0.1', { createdBy: null })).toBe(true);
    expect(reaches(url, '127.0.0.1', { accountId: 'acc_bob' })).toBe(false);
    expect(reaches(url, '127.0.0.1', { createdBy: 'grt_0123456789abcdef' })).toBe(false);
    // What one account ends, another keeps.
    receivers.allow({ ...receiver, accountId: 'acc_bob' }, 60);
    receivers.allow(receiver, 0);
    expect(reaches(url, '127.0.0.1')).toBe(false);
    expect(reaches(url, '127.0.0.1', { accountId: 'acc_bob' })).toBe(true);
  });

  it('is renewed and ended', () => {
    const { clock, receivers, reaches } = setUp();
    const receiver = { accountId: 'acc_ada', address: '::1', port: 4400 };
    receivers.allow(receiver, 60);
    clock.advance(50_000);
    receivers.allow(receiver, 60);
    clock.advance(50_000);
    expect(reaches('http://[::1]:4400/', '::1')).toBe(true);
    receivers.allow(receiver, 0);
    expect(reaches('http://[::1]:4400/', '::1')).toBe(false);
  });

  it('never is a port of the exchange, whatever WEBHOOK_ALLOW says', () => {
    const { receivers, reaches } = setUp(['127.0.0.0/8']);
    expect(reaches('http://127.0.0.1:4400/', '127.0.0.1', { environment: 'live' })).toBe(true);
    for (const port of OWN) {
      expect(receivers.allow({ accountId: 'acc_ada', address: '127.0.0.1', port }, 60)).toBeNull();
      const url = `http://127.0.0.1:${port}/admin/v1/maintenance`;
      expect([port, reaches(url, '127.0.0.1')]).toEqual([port, false]);
      expect(reaches(url, '127.0.0.2')).toBe(false);
    }
  });
});
