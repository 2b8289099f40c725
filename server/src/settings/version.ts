// The version of this build, as its package says.
import { readFileSync } from 'node:fs';

export const VERSION = readVersion();

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}
