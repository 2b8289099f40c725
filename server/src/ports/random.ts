// Randomness as the server needs it: bytes, and ids made of them.

export interface Random {
  bytes(length: number): Uint8Array;
  /** Letters and digits, uniform; 16 of them are 95 bits. */
  token(length: number): string;
}
