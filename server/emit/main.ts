// Writes the settings reference, or with --check fails if it is out of date.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingsPage } from './settings.ts';

const file = fileURLToPath(new URL('../../docs/SETTINGS.md', import.meta.url));
const page = settingsPage();

if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
  if (process.argv.includes('--check')) {
    process.stderr.write('docs/SETTINGS.md is out of date; run node server/emit/main.ts\n');
    process.exitCode = 1;
  } else {
    writeFileSync(file, page);
    process.stdout.write('wrote docs/SETTINGS.md\n');
  }
}
