// Mail over a real server of mail on this machine.
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SmtpMail } from '../src/adapters/node/smtp-mail.ts';
import { Mailer } from '../src/mail/mailer.ts';
import { Mailbox } from './mailbox.ts';

let mailbox: Mailbox;
let clock: ManualClock;
let mailer: Mailer;
const failures: string[] = [];
beforeEach(async () => {
  failures.length = 0;
  mailbox = await Mailbox.open();
  clock = new ManualClock(0);
  const mail = new SmtpMail({ url: mailbox.url, from: 'Sibyl <no-reply@sibyl.example>' });
  mailer = new Mailer({ mail, clock, failed: (message) => failures.push(message) });
});
afterEach(async () => {
  await mailer.close();
  await mailbox.close();
});

const letter = (to: string) => ({
  to,
  subject: 'Ist das Ihre Adresse? ☃',
  text: 'Grüße\n'.repeat(9),
});

it('[MF14] a letter reaches the server of mail with its sender and its text, to one receiver', async () => {
  mailer.later(async () => letter('ada@example.com'));
  const text = await mailbox.letter('ada@example.com');
  expect(text).toContain('From: Sibyl <no-reply@sibyl.example>');
  expect(text).toContain('Grüße');
  await mailer.settled();
  expect(failures).toEqual([]);
});

it('[MF14] a server of mail that refuses is asked again, and given up after three attempts', async () => {
  mailbox.refusals = 2;
  mailer.later(async () => letter('ada@example.com'));
  await passing(mailer.settled());
  expect(mailbox.count('ada@example.com')).toBe(1);
  mailbox.refusals = 3;
  mailer.later(async () => letter('bob@example.com'));
  await passing(mailer.settled());
  expect(mailbox.count('bob@example.com')).toBe(0);
  expect(failures).toEqual(['a letter was not sent']);
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

/** Time goes by until the work is done. */
async function passing(work: Promise<void>): Promise<void> {
  let isDone = false;
  const end = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await end;
}
