// Checks that what builders read is what they accept.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builderAgreement } from './builder-agreement.ts';

it('[CT35] the agreement of the documents is the one that is accepted', () => {
  const url = new URL('../../docs/BUILDER-AGREEMENT.md', import.meta.url);
  const page = readFileSync(url, 'utf8');
  const listed = [...page.matchAll(/^\d+\. (.+)$/gm)].map(([, text]) => text);
  expect(listed).toEqual([...builderAgreement.paragraphs]);
  expect(page).toContain(`Version ${builderAgreement.version}.`);
});
