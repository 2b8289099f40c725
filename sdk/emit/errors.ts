// Turns the contract's error catalogue into one class per code.

import { errors } from '@sibyl/contract';

const header = `// Generated from the contract by sdk/emit/main.ts; edit the contract instead.

import { SibylError } from '../errors.ts';
`;

export function errorsModule(): string {
  const codes = Object.entries(errors);
  const classes = codes.map(
    ([code, { status, message }]) =>
      `/** ${status} ${code}: ${message} */\nexport class ${className(code)} extends SibylError {\n  override readonly name = '${className(code)}';\n  declare readonly code: '${code}';\n}\n`,
  );
  const map = codes.map(
    ([code, { retryable }]) => `  ${code}: { make: ${className(code)}, retryable: ${retryable} },`,
  );
  const table = `/** The class of each code, and whether the unchanged request may succeed later. */
export const errorTable = {
${map.join('\n')}
} as const;
`;
  return [header, ...classes, table].join('\n');
}

function className(code: string): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  const name = words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join('');
  return `${name}Error`;
}
