// The fingerprint of a state: equal states give equal hashes, on every machine and whatever their history.
import { encodeUtf8 } from './kit/canonical.ts';
import { Sha256 } from './kit/sha256.ts';
import { encodeSnapshot } from './snapshot/encode.ts';
import type { State } from './state/state.ts';

const NEWLINE = new Uint8Array([10]);

export function stateHash(state: State): string {
  const digest = new Sha256();
  for (const line of encodeSnapshot(state)) digest.update(encodeUtf8(line)).update(NEWLINE);
  return digest.digestHex();
}
