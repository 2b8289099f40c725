// What to do where no answer came from a server.

import { type SibylConnectionError, SibylTimeoutError } from '@sibyl/sdk';

/** `setting` is what says where the server is, beside --url. */
export function noAnswerAdvice(
  error: SibylConnectionError,
  setting: 'SIBYL_URL' | 'SIBYL_ADMIN_URL',
): string {
  if (error instanceof SibylTimeoutError) {
    return 'it may be done all the same: look before you ask for it again. On the machine of the server, sibyl doctor says how it is';
  }
  const place = `--url or ${setting} names another place`;
  const how = 'npm start starts it, and sibyl doctor on its machine says what keeps it from that';
  return setting === 'SIBYL_URL'
    ? `is the server running there? ${how}; ${place}`
    : `is the server running there? ${how}; its operator's port is open on its own machine alone (ssh -L brings it here), and ${place}`;
}
