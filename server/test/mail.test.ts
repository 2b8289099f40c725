// Mail over a real server of mail on this machine.
import { randomBytes } from 'node:crypto';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MemoryLetterStore } from '../src/adapters/memory/letters.ts';
import { systemRandom } from '../src/adapters/node/random.ts';
import { KeyedSecrets } from '../src/adapters/node/secrets.ts';
import { SmtpMail } from '../src/adapters/node/smtp-mail.ts';
import { Vault } from '../src/delivery/vault.ts';
import { Mailer } from '../src/mail/mailer.ts';
import { Mailbox } from './mailbox.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let mailbox: Mailbox;
let clock: ManualClock;
let mailer: Mailer;
let letters: MemoryLetterStore;
let vault: Vault;
const failures: string[] = [];
beforeEach(async () => {
  failures.length = 0;
  mailbox = await Mailbox.open();
  clock = new ManualClock(0);
  letters = new MemoryLetterStore();
  vault = new Vault(new KeyedSecrets(randomBytes(32)), systemRandom, 'letters 1');
  mailer = opened();
});
afterEach(async () => {
  await mailer.close();
  await mailbox.close();
});

function opened(): Mailer {
  const mail = new SmtpMail({ url: mailbox.url, from: 'Sibyl <no-reply@sibyl.example>' });
  const failed = (message: string): void => void failures.push(message);
  return new Mailer({ mail, letters, vault, random: systemRandom, clock, failed });
}

const TEXT = `Grüße\n${'https://sibyl.example/reset#a-secret-that-opens-an-account\n'.repeat(3)}`;

const letter = (to: string) => ({
  userId: 'usr_ada',
  letter: { to, subject: 'Ist das Ihre Adresse? ☃', text: TEXT },
  expiresAtMs: clock.wallMs() + HOUR_MS,
});

it('[MF14] a letter reaches the server of mail with its sender and its text, to one receiver', async () => {
  mailer.later(async () => letter('ada@example.com'));
  const text = await mailbox.letter('ada@example.com');
  expect(text).toContain('From: Sibyl <no-reply@sibyl.example>');
  expect(text).toContain('Grüße');
  await mailer.settled();
  expect(failures).toEqual([]);
  expect([mailer.sentCount, await mailer.waitingCount()]).toEqual([1, 0]);
});

it('[MF22] a server of mail that refuses is asked again, and given up when the letter is of no more use', async () => {
  mailbox.refusals = 4;
  mailer.later(async () => letter('ada@example.com'));
  await passing(() => mailer.sentCount === 1);
  expect(mailbox.count('ada@example.com')).toBe(1);
  mailbox.refusals = 1_000;
  mailer.later(async () => letter('bob@example.com'));
  await passing(() => mailer.droppedCount === 1);
  expect(mailbox.count('bob@example.com')).toBe(0);
  expect(failures).toEqual(['a letter was dropped']);
  // Not asked all the time: a pause grows from seconds to minutes.
  expect(1_000 - mailbox.refusals).toBeLessThan(15);
  expect(await mailer.waitingCount()).toBe(0);
});

it('[MF22] a letter that the server of mail refuses for good is dropped at once', async () => {
  mailbox.refusals = 1;
  mailbox.refusal = 550;
  mailer.later(async () => letter('nobody@example.com'));
  await passing(() => mailer.droppedCount === 1);
  expect(mailbox.refusals).toBe(0);
  expect(await mailer.waitingCount()).toBe(0);
});

it('[MF22] what was not sent when the process ended is sent by the next, and lies there sealed', async () => {
  mailbox.refusals = 1;
  mailer.later(async () => letter('ada@example.com'));
  await passing(() => mailbox.refusals === 0);
  await mailer.close();
  expect(await mailer.waitingCount()).toBe(1);
  const [kept] = await letters.take(HOUR_MS - 1, clock.wallMs(), 1);
  for (const secret of ['a-secret', 'ada@']) {
    expect(Buffer.from(kept?.sealed ?? '', 'base64url').toString('latin1')).not.toContain(secret);
    expect(kept?.sealed).not.toContain(secret);
  }
  mailer = opened();
  mailer.wake();
  expect(await mailbox.letter('ada@example.com')).toContain('a-secret-that-opens-an-account');
  await mailer.settled();
  expect(mailbox.count('ada@example.com')).toBe(1);
});

it('[MF22] one that is being sent when the process ends is due at once for the next', async () => {
  mailbox.isMute = true;
  mailer.later(async () => letter('ada@example.com'));
  await vi.waitFor(() => expect(mailbox.unansweredCount).toBe(1), { timeout: 20_000 });
  await mailer.close();
  expect(await letters.waiting()).toEqual({ count: 1, nextDueMs: clock.wallMs() });
  mailbox.isMute = false;
  mailer = opened();
  mailer.wake();
  await mailbox.letter('ada@example.com');
});

it('[MF22] a letter that cannot be unsealed is dropped, and those behind it are sent', async () => {
  const other = new Vault(new KeyedSecrets(randomBytes(32)), systemRandom, 'letters 1');
  const kept = { letterId: 'ltr_1', userId: 'usr_ada', expiresAtMs: HOUR_MS };
  await letters.add({ ...kept, sealed: other.seal(Buffer.from('{}'), 'letter ltr_1') }, 0, 9);
  mailer.later(async () => letter('ada@example.com'));
  await mailbox.letter('ada@example.com');
  await passing(() => mailer.droppedCount === 1);
  expect(failures).toEqual(['a letter was dropped']);
});

it('[MF15] more letters than can be waiting are dropped', async () => {
  let open = (): void => undefined;
  const held = new Promise<null>((resolve) => {
    open = () => resolve(null);
  });
  for (let count = 0; count < 1_001; count += 1) mailer.later(() => held);
  expect(failures).toEqual(['a letter was dropped']);
  open();
});

/** Time goes by until it is so, and stands still while something is sent. */
async function passing(isSo: () => boolean): Promise<void> {
  while (clock.wallMs() < DAY_MS) {
    await mailer.settled();
    if (isSo()) return;
    clock.advance(1_000);
  }
  throw new Error(`it did not come to be: ${failures.join(', ')}`);
}
