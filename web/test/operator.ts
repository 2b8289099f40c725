// What an operator does from the other side, for journeys that need it.
import { opened } from './opened.ts';

const { operatorToken: token } = opened;

async function ask(path: string, body: object, adminUrl = opened.adminUrl): Promise<void> {
  const answer = await fetch(`${adminUrl}/admin/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the operator was refused: ${await answer.text()}`);
}

/** Pauses or resumes trading with real money, at an exchange whose operator has the same token. */
export async function setMode(
  adminUrl: string,
  mode: 'normal' | 'read_only',
  words: { readonly reason: string; readonly message?: string },
): Promise<void> {
  await ask('mode', { ...words, lane: 'live', mode }, adminUrl);
}

/** Real money for somebody of an exchange whose operator has the same token. */
export async function credit(adminUrl: string, accountId: string, amount: string): Promise<void> {
  const act = { lane: 'live', reason: 'a wire came', external_ref: crypto.randomUUID() };
  const body = { ...act, asset: 'USDT', amount, beside_custody: true };
  await ask(`accounts/${accountId}/deposits`, body, adminUrl);
}

/** What somebody applied for is theirs. */
export async function approveBuilder(userId: string): Promise<void> {
  await ask(`builders/${userId}/approve`, { reason: 'the contract is signed' });
}

export async function approveApp(appId: string, verifiedName: string): Promise<void> {
  const approval = { verified_name: verifiedName, fee_cap_bps: 50 };
  await ask(`apps/${appId}/approve`, { reason: 'the company is known', ...approval });
}
