// Where the sandbox is, from whichever lane the page shows.
import { createClient, type SibylClient } from '@sibyl/sdk';
import { lanes } from '../../lane.ts';

/** Null if this exchange runs none. */
export const sandboxUrl: string | null = lanes.includes('sandbox')
  ? `${location.origin}${lanes.length === 1 ? '' : '/sandbox'}`
  : null;

/** Calls there without a credential. */
export function sandboxVisitor(): SibylClient {
  return createClient({ baseUrl: sandboxUrl ?? location.origin });
}
