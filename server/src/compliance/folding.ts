// How names, wallets and e-mails are compared with lists.

/** Without regard to case and surrounding blanks. */
export function foldExact(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * The words of a name in alphabetical order, in lower case and without accents; punctuation parts words. Two names match
 * if they have the same words. Nothing is transliterated and nothing is guessed: another spelling is another name.
 */
export function foldName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}
