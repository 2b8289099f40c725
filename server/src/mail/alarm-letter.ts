// Letters to operators about an alarm that begins or ends.
import { type AlarmName, alarmActions } from '@sibyl/contract';
import { type Letter, LetterRefused, type Mail } from '../ports/mail.ts';

interface MailedAlarm {
  readonly name: AlarmName;
  readonly lane: string | null;
  readonly detail: string;
  readonly sinceMs: number;
}

/** To every address; resolves once the server of mail has taken all of them, or refused them for good. */
export async function mailAlarm(
  mail: Pick<Mail, 'send'>,
  addresses: readonly string[],
  alarm: MailedAlarm,
  endedAtMs: number | null,
): Promise<void> {
  const letter = alarmLetter(alarm, endedAtMs);
  for (const to of addresses) {
    try {
      await mail.send({ to, ...letter });
    } catch (error) {
      if (!(error instanceof LetterRefused)) throw error;
    }
  }
}

function alarmLetter(
  { name, lane, detail, sinceMs }: MailedAlarm,
  endedAtMs: number | null,
): Omit<Letter, 'to'> {
  const place = lane === null ? '' : `, ${lane}`;
  const lines = [
    `Alarm: ${name}${place}`,
    `Since: ${new Date(sinceMs).toISOString()}`,
    ...(endedAtMs === null ? [] : [`Ended: ${new Date(endedAtMs).toISOString()}`]),
    `Measured: ${detail.replaceAll(/\s+/g, ' ')}`,
    ...(endedAtMs === null ? ['', alarmActions[name]] : []),
    '',
    'docs/OPERATING.md, "Alarms", says more. `sibyl admin list-alarms` lists what is in force.',
  ];
  const subject = `Sibyl: alarm ${name}${place}${endedAtMs === null ? '' : ' is over'}`;
  return { subject, text: lines.join('\n') };
}
