// Reads the pages that `npm start` has built; a server without them serves programs only.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site, SiteFile } from './gateway/site.ts';

const FOLDER = fileURLToPath(new URL('../../web/build/site', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Null if nothing was built. */
export function readSite(headOf: Site['headOf']): Site | null {
  const page = path.join(FOLDER, 'index.html');
  if (!existsSync(page)) return null;
  return { page: readFileSync(page, 'utf8'), files: readFiles(), headOf };
}

function readFiles(): readonly SiteFile[] {
  return globSync('**/*.*', { cwd: FOLDER }).flatMap((name) => {
    const type = types[path.extname(name)];
    if (type === undefined) return [];
    const parts = name.split(path.sep);
    return {
      path: `/${parts.join('/')}`,
      type,
      bytes: readFileSync(path.join(FOLDER, name)),
      isLasting: parts[0] === 'assets',
    };
  });
}
