// Reads the pages that `npm start` has built; a server without them serves programs only.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site, SiteFile } from './gateway/site.ts';

/** The pages for everybody, and the console for those who run the exchange: apart, so that each has its own port. */
const builds = {
  site: { folder: folderOf('site'), page: 'index.html' },
  console: { folder: folderOf('console'), page: 'console.html' },
} as const;

function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../web/build/${name}`, import.meta.url));
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Null if nothing was built. */
export function readSite(
  build: keyof typeof builds,
  headOf: Site['headOf'],
  /** Meta elements that are the same for every address. */
  metas = '',
): Site | null {
  const { folder, page } = builds[build];
  const file = path.join(folder, page);
  if (!existsSync(file)) return null;
  const isForStrangers = build === 'site';
  const scripts = readScripts(folder);
  const files = readFiles(folder);
  const text = readFileSync(file, 'utf8').replace('<title>', () => `${metas}<title>`);
  return { page: text, files, scripts, isForStrangers, headOf };
}

/** A script of the build by its source, with the scripts that it imports. */
type Manifest = Readonly<
  Record<string, { readonly file: string; readonly imports?: readonly string[] }>
>;

const ENTRY = 'index.html';

/** The scripts of a page, as the build's manifest names them; the console's pages are all in one. */
function readScripts(folder: string): Site['scripts'] {
  const file = path.join(folder, '.vite', 'manifest.json');
  const manifest: Manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const filesOf = (source: string): readonly string[] => {
    const seen = new Set([source]);
    for (const name of seen) for (const next of manifest[name]?.imports ?? []) seen.add(next);
    seen.delete(ENTRY);
    return [...seen].flatMap((name) => (manifest[name] ? [`/${manifest[name].file}`] : []));
  };
  return {
    list: filesOf('src/pages/markets/markets-page.tsx'),
    market: filesOf('src/pages/market/market-page.tsx'),
  };
}

function readFiles(folder: string): readonly SiteFile[] {
  return globSync('**/*.*', { cwd: folder }).flatMap((name) => {
    const type = types[path.extname(name)];
    if (type === undefined) return [];
    const parts = name.split(path.sep);
    return {
      path: `/${parts.join('/')}`,
      type,
      bytes: readFileSync(path.join(folder, name)),
      isLasting: parts[0] === 'assets',
    };
  });
}
