// A search for secrets: each in every form in which it could have been written down.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Canary {
  readonly name: string;
  readonly forms: readonly Buffer[];
}

/** Of a credential its last part is meant: the public one may stand anywhere. */
export function canary(name: string, secret: string | Buffer): Canary {
  const bytes = Buffer.from(secret as string);
  const hex = bytes.toString('hex');
  const texts = [hex, hex.toUpperCase(), ...base64Forms(bytes)];
  const forms = [bytes, ...texts.map((text) => Buffer.from(text))];
  return { name, forms };
}

/** The part of `prefix_public_secret` that nobody may know. */
export function secretPart(credential: string): string {
  const [, secret] =
    /^(?:sk_(?:live|test)|[a-z]+)_[0-9A-Za-z]{16}_(.{30,})$/.exec(credential) ?? [];
  if (secret === undefined) throw new Error('no credential');
  return secret;
}

/**
 * As it would stand in the base64 of something longer, whichever of three places it begins at there. Letters that hold bits of
 * what is before and after it are left out.
 */
function base64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const text = whole.toString('base64').replaceAll('=', '');
    const ownFrom = before === 0 ? 0 : before + 1;
    const own = text.slice(ownFrom, whole.length % 3 === 0 ? undefined : -1);
    return [...new Set([own, own.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}

/** Every file below the folder, by its path there. */
export function filesIn(folder: string): ReadonlyMap<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(folder, file), readFileSync(file)];
    }),
  );
}

/** `name in place` for each that was found. */
export function found(
  canaries: readonly Canary[],
  places: ReadonlyMap<string, Buffer>,
): readonly string[] {
  return [...places].flatMap(([place, bytes]) =>
    canaries
      .filter(({ forms }) => forms.some((form) => bytes.includes(form)))
      .map(({ name }) => `${name} in ${place}`),
  );
}
