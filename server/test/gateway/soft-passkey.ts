// A passkey in software, as a browser and its authenticator would answer: ES256, no attestation, unlocked by its holder.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export interface PasskeyFlaws {
  readonly origin?: string;
  readonly isUnlocked?: boolean;
  readonly counter?: number;
}

type Options = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

export class SoftPasskey {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #site: string;
  #counter = 0;

  constructor(site = 'localhost') {
    this.#site = site;
  }

  /** The answer to the options of beginPasskey. */
  create(options: Options, flaws: PasskeyFlaws = {}): Answer {
    const jwk = this.#keys.publicKey.export({ format: 'jwk' });
    const [x, y] = [jwk.x, jwk.y].map((part) => Buffer.from(String(part), 'base64url'));
    // The key in COSE: EC2, ES256, P-256, and the two coordinates.
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      x!,
      Buffer.from('225820', 'hex'),
      y!,
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id]);
    const data = Buffer.concat([this.#head(flaws, HAS_CREDENTIAL), credential, key]);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59, data.length >> 8, data.length & 255]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: this.#client('webauthn.create', options, flaws).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to the options of askPasskey. */
  prove(options: Options, flaws: PasskeyFlaws = {}): Answer {
    this.#counter = flaws.counter ?? this.#counter + 1;
    const data = this.#head(flaws, 0);
    const client = this.#client('webauthn.get', options, flaws);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    });
  }

  #head({ isUnlocked = true }: PasskeyFlaws, more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const flags = USER_PRESENT | (isUnlocked ? USER_VERIFIED : 0) | more;
    const site = createHash('sha256').update(this.#site).digest();
    return Buffer.concat([site, Buffer.from([flags]), counter]);
  }

  #client(type: string, { challenge }: Options, { origin }: PasskeyFlaws): Buffer {
    const said = { type, challenge, origin: origin ?? `http://${this.#site}`, crossOrigin: false };
    return Buffer.from(JSON.stringify(said));
  }

  #answer(response: object): Answer {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
