// The files of the reference pages, read when first asked for and kept.
import { readFileSync } from 'node:fs';

const files = {
  guide: '../../../docs/INTERFACE.md',
  style: '../../pages/page.css',
  consent: '../../pages/consent.css',
  reference: '../../pages/reference.html',
  operator: '../../pages/operator.html',
  script: '../../pages/reference.js',
} as const;

const kept = new Map<string, string>();

export function pageFile(name: keyof typeof files): string {
  const known = kept.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(files[name], import.meta.url), 'utf8');
  kept.set(name, text);
  return text;
}
