// Reads the command line of the bench.
import { parseArgs } from 'node:util';
import { SUITE_NAMES } from './suite-registry.ts';

export type Invocation =
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }
  /** A process started by the bench itself to run tasks of that suite. */
  | { readonly kind: 'child'; readonly suite: string }
  | {
      readonly kind: 'run';
      readonly suites: readonly string[];
      readonly rounds: number;
      readonly quick: boolean;
      readonly jsonFile: string | null;
    };

const ROUNDS_DEFAULT = 3;
const ROUNDS_QUICK = 2;
const ROUNDS_MAX = 100;

export function readInvocation(args: readonly string[]): Invocation {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) };
  }
  if (values.help === true) return { kind: 'help' };
  if (values.child !== undefined) return { kind: 'child', suite: values.child };
  const suites = values.only ?? SUITE_NAMES;
  const unknown = suites.find((name) => !SUITE_NAMES.includes(name));
  if (unknown !== undefined) {
    return { kind: 'mistake', message: `no suite ${unknown}; known: ${SUITE_NAMES.join(', ')}` };
  }
  const quick = values.quick === true;
  const rounds = Number(values.rounds ?? (quick ? ROUNDS_QUICK : ROUNDS_DEFAULT));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > ROUNDS_MAX) {
    return { kind: 'mistake', message: `--rounds takes a whole number from 1 to ${ROUNDS_MAX}` };
  }
  return { kind: 'run', suites, rounds, quick, jsonFile: values.json ?? null };
}

export function describeUsage(about: readonly string[]): string {
  return `Measures the exchange beside its peers, in one run, on this machine.

  npm run bench -- [--only SUITE] [--rounds N] [--quick] [--json FILE]

  --only SUITE   run this suite only; may be given several times
  --rounds N     samples per measurement (default ${ROUNDS_DEFAULT}, with --quick ${ROUNDS_QUICK})
  --quick        the small data sets only: about a minute, figures less steady
  --json FILE    also write ratios and figures there
  --help         this page

suites
${about.map((line) => `  ${line}`).join('\n')}

Progress goes to stderr, the table to stdout. The exit code is 0 when every checksum came out and every
ratio reached its must, 1 when not, 2 for a mistake on the command line.
`;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      quick: { type: 'boolean' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      child: { type: 'string' },
    },
  }).values;
}
