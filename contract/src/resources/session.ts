// Session: what a person at the page holds after logging in.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { instant, oneOf } from '../primitives.ts';
import { accountModes } from './account.ts';

export const Session = Type.Object(
  {
    session_token: Type.String({ pattern: '^ses_', description: 'The bearer; shown once.' }),
    user_id: idOf('user'),
    account_id: idOf('account'),
    mode: oneOf(accountModes, { description: 'What account_id trades with.' }),
    ...instant('expires_at', 'When the session ends.'),
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

export const exampleSession: Session = {
  session_token: `ses_EXAMPLEexample00_${'x'.repeat(43)}`,
  user_id: 'usr_01J0000000000005',
  account_id: 'acc_01J0000000000004',
  mode: 'sandbox',
  expires_at: '2026-11-15T00:00:00.000Z',
  expires_at_ms: 1_794_700_800_000,
};
