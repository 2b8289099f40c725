// Signed requests: what is signed, to the byte, and the headers that show it.

/** A key with the secret that its holder has drawn; variant A unless told. */
export type SigningCredential = {
  /** The public id of the key. Of a whole key only the id is sent. */
  readonly keyId: string;
  /** As it was shown: 64 hexadecimal digits. */
  readonly secret: string;
} & ({ readonly variant?: 'A' } | { readonly variant: 'B'; readonly passphrase: string });

export type SignableRequest = {
  readonly method: string;
  /** With its query, exactly as it is sent. */
  readonly path: string;
  /** Exactly as it is sent; empty without one. */
  readonly body?: string;
  /** UNIX seconds; now unless told. */
  readonly timestamp?: string;
  /** Of variant A; a fresh one unless told. */
  readonly nonce?: string;
};

export type SignedHeaders = {
  /** What was signed. */
  readonly canonical: string;
  /** SHA-256 of it, in hex: what a server of the sandbox says beside SIGNATURE_INVALID. */
  readonly canonicalHash: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A nonce is good for one request: sign each attempt anew. */
export async function signRequest(
  credential: SigningCredential,
  request: SignableRequest,
): Promise<SignedHeaders> {
  const { secret } = credential;
  const keyId = credential.keyId.replace(WHOLE_KEY_FORM, '$1');
  const { method, path, body = '', nonce = crypto.randomUUID() } = request;
  const timestamp = request.timestamp ?? String(Math.floor(Date.now() / 1000));
  if (credential.variant === 'B') {
    const canonical = `${timestamp}${method}${path}${body}`;
    return {
      canonical,
      canonicalHash: await sha256(canonical),
      headers: {
        'alt-access-key': keyId,
        'alt-timestamp': timestamp,
        'alt-passphrase': credential.passphrase,
        'alt-signature': base64(await hmac(secret, canonical)),
      },
    };
  }
  const canonical = [method, path, timestamp, nonce, await sha256(body)].join('\n');
  return {
    canonical,
    canonicalHash: await sha256(canonical),
    headers: {
      'svc-address': keyId,
      'svc-timestamp': timestamp,
      'svc-nonce': nonce,
      'svc-signature': hex(await hmac(secret, canonical)),
    },
  };
}

const WHOLE_KEY_FORM = /^(sk_(?:live|test)_[0-9A-Za-z]{16})_.*$/;

const utf8 = new TextEncoder();

async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text))));
}

/** The secret is the key as the text that it is, not as the bytes that it spells. */
async function hmac(secret: string, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
