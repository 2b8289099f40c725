// What an operator does from the other side, for journeys that need it.
import { opened } from './opened.ts';

const { adminUrl, operatorToken: token } = opened;

/** Pauses or resumes trading in a lane. */
export async function setMode(
  lane: 'live' | 'sandbox',
  mode: 'normal' | 'read_only',
  reason: string,
): Promise<void> {
  const answer = await fetch(`${adminUrl}/admin/v1/mode`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason, lane, mode }),
  });
  if (!answer.ok) throw new Error(`the operator was refused: ${await answer.text()}`);
}
