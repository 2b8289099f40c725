// The settings reference as a page, from the table that the server reads its environment by.

import { settings } from '../src/settings/config.ts';

export function settingsPage(): string {
  const rows = settings.map(
    ({ name, fallback, accepts, meaning }) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${accepts} | ${meaning} |`,
  );
  return `# Settings

The server reads its settings from the environment once, at the start, and refuses to start with one that it cannot
take. This page is generated from \`server/src/settings/config.ts\`.

| Name | Default | Accepts | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}
