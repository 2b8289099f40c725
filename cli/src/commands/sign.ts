// sibyl sign: what a signed request looks like, to find out where one's own differs.

import { readFileSync } from 'node:fs';
import { type SigningCredential, signRequest } from '@sibyl/sdk';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { publicPart, wholeKeyWarning } from '../account/key-id.ts';
import { withExamples } from '../account/server.ts';
import { exitCodes, exitHelp } from '../exit.ts';
import { Misused, run } from '../run.ts';
import { askSecrets } from '../secrets.ts';

interface SignOptions {
  readonly key: string;
  readonly variant: 'A' | 'B';
  readonly body?: string;
  readonly bodyFile?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly json?: boolean;
}

export function addSign(program: Command): void {
  withExamples(
    program
      .command('sign')
      .description(
        'the canonical text, its hash and the headers of a signed request; sends nothing',
      )
      .addArgument(new Argument('<method>').choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
      .argument(
        '<path>',
        'with its query, exactly as it is sent, such as /sandbox/v1/orders?dry_run=true',
        signedPath,
      )
      .requiredOption('--key <key-id>', 'the public id of the key')
      .addOption(
        new Option('--variant <variant>', 'A (nonce) or B (passphrase)')
          .choices(['A', 'B'])
          .default('A'),
      )
      .addOption(
        new Option('--body <text>', 'the body, exactly as it is sent').conflicts('bodyFile'),
      )
      .option('--body-file <file>', 'the same from a file')
      .option('--timestamp <seconds>', 'UNIX seconds; now unless told')
      .option('--nonce <nonce>', 'of variant A; a fresh one unless told')
      .option('--json', 'JSON for programs'),
    'sibyl sign GET /v1/account --key sk_live_0123456789abcdef < secret.txt',
    `sibyl sign POST /v1/orders --key sk_live_0123456789abcdef --body '{"size":"10"}' < secret.txt`,
  )
    .addHelpText(
      'after',
      `
The secret is typed, or read from standard input (for variant B the passphrase on a second line), never given as an argument.
In the sandbox SIGNATURE_INVALID carries canonical_hash: if it is not the hash shown here, the texts differ; if it is, the secrets do.
${exitHelp}`,
    )
    .action((method: string, path: string, options: SignOptions) =>
      run(options.json === true, async (terminal) => {
        for (const line of wholeKeyWarning(options.key)) terminal.note(line);
        const { timestamp, nonce, bodyFile, variant } = options;
        const body = bodyFile === undefined ? (options.body ?? '') : readFileSync(bodyFile, 'utf8');
        const signed = await signRequest(await credentialOf(options), {
          method,
          path,
          body,
          ...(timestamp !== undefined && { timestamp }),
          ...(nonce !== undefined && { nonce }),
        });
        const { canonical, canonicalHash, headers } = signed;
        terminal.result({ variant, canonical, canonical_hash: canonicalHash, headers }, [
          'canonical text',
          ...canonical.split('\n').map((line) => `  ${line}`),
          'its SHA-256',
          `  ${canonicalHash}`,
          'headers',
          ...Object.entries(headers).map(([name, value]) => `  ${name.toUpperCase()}: ${value}`),
        ]);
        return exitCodes.done;
      }),
    );
}

async function credentialOf({ key, variant }: SignOptions): Promise<SigningCredential> {
  if (variant === 'A') {
    const [secret = ''] = await askSecrets(['signing_secret']);
    return { keyId: key, secret: signingSecret(secret) };
  }
  const [secret = '', passphrase = ''] = await askSecrets(['signing_secret', 'passphrase']);
  return { keyId: key, variant: 'B', secret: signingSecret(secret), passphrase: passphrase.trim() };
}

/** The server signs what stands in the request line, which has no host in it. */
function signedPath(text: string): string {
  if (text.startsWith('/') && !text.startsWith('//')) return text;
  throw new InvalidArgumentError(
    'The path alone is signed, from its first / on and without the host, such as /sandbox/v1/orders.',
  );
}

/** What cannot be a secret would sign all the same, and the refusal would not say why. */
function signingSecret(text: string): string {
  const secret = text.trim();
  if (/^[0-9a-f]{64}$/.test(secret)) return secret;
  const what = publicPart(secret) === null ? 'this is something else' : 'this is a key';
  throw new Misused(
    `a signing secret is 64 digits of 0-9 and a-f, as sibyl keys signing-secret shows it; ${what}`,
  );
}
