// Keyed digests under one master secret, which lies in a file beside the data and in no database.
import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { syncFolder } from '@sibyl/storage';
import type { Random } from '../../ports/random.ts';
import type { DigestPurpose, Secrets } from '../../ports/secrets.ts';

const MASTER_BYTES = 32;
const FILE_NAME = 'secrets';
const OWNER_ONLY = 0o400;

/** Reads the secrets of the data folder, and makes them on the first start: before anything that depends on them. */
export function openSecrets(dataDir: string, random: Random, hasUsers = false): Secrets {
  if (hasUsers) return requireSecrets(dataDir);
  const file = path.join(dataDir, FILE_NAME);
  return new KeyedSecrets(readMaster(file) ?? makeMaster(file, random));
}

/** The secrets of a folder that has users, whose keys were hashed with them: others in their place would know nobody. */
export function requireSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, FILE_NAME);
  const known = readMaster(file);
  if (known !== null) return new KeyedSecrets(known);
  throw new SecretsRefused(
    `${file} is missing: no password, key or session would be known without it; copy it there from the newest backup (its file of the same name), then chmod 400 it`,
  );
}

export class KeyedSecrets implements Secrets {
  /** Node takes seven times as long for a digest whose key comes as bytes. */
  readonly #keys: Readonly<Record<DigestPurpose, KeyObject>>;

  constructor(master: Uint8Array) {
    const derive = (purpose: DigestPurpose): KeyObject =>
      createSecretKey(createHmac('sha256', master).update(`sibyl ${purpose}`).digest());
    this.#keys = {
      token: derive('token'),
      challenge: derive('challenge'),
      cursor: derive('cursor'),
      address: derive('address'),
      operator: derive('operator'),
      envelope: derive('envelope'),
      reference: derive('reference'),
      looks: derive('looks'),
      database: derive('database'),
      exclusion: derive('exclusion'),
      grant: derive('grant'),
      consent: derive('consent'),
    };
  }

  digest(purpose: DigestPurpose, text: string): string {
    return createHmac('sha256', this.#keys[purpose]).update(text).digest('base64url');
  }

  isEqual(a: string, b: string): boolean {
    // Both are digested again, so that the comparison is of equal lengths whatever came in.
    const left = createHmac('sha256', this.#keys.token).update(a).digest();
    const right = createHmac('sha256', this.#keys.token).update(b).digest();
    return timingSafeEqual(left, right);
  }
}

/** The file is not there, not readable or not private: for the operator to mend. */
export class SecretsRefused extends Error {
  override readonly name = 'SecretsRefused';
}

/** The file is not what was written. */
class SecretsDamaged extends Error {
  override readonly name = 'SecretsDamaged';
}

/** Null where there is none; a file that no server would take is an error that says why. */
export function readMaster(file: string): Uint8Array | null {
  const text = readPrivate(file);
  if (text === null) return null;
  const [hex = '', check] = text.trimEnd().split(' ');
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new SecretsDamaged(`${file} is not a secrets file`);
  if (check !== checkOf(hex)) {
    throw new SecretsDamaged(
      `${file} is damaged: no key would be known by it; restore it from a backup`,
    );
  }
  return Buffer.from(hex, 'hex');
}

function readPrivate(file: string): string | null {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw new SecretsRefused(`${file} can be read by others; chmod 400 it`);
    }
    return readFileSync(file, 'latin1');
  } catch (error) {
    if (error instanceof SecretsRefused || !(error instanceof Error)) throw error;
    throw new SecretsRefused(
      `${file} cannot be read (${error.message}): it must be a file of the user who runs the server; chown it to that user and chmod 400 it, or run this as that user`,
    );
  }
}

/** Sixteen bytes of text that tell nothing of the secret. */
function checkOf(hex: string): string {
  return createHash('sha256').update(`check ${hex}`).digest('hex').slice(0, 16);
}

/** Written whole or not at all: a key hashed under half a secret could never be verified again. */
function makeMaster(file: string, random: Random): Uint8Array {
  const master = random.bytes(MASTER_BYTES);
  const descriptor = openSync(file, 'wx', OWNER_ONLY);
  const hex = Buffer.from(master).toString('hex');
  writeSync(descriptor, `${hex} ${checkOf(hex)}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  syncFolder(path.dirname(file));
  return master;
}
