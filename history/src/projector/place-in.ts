// The place of a word in a short list.

/** As indexOf has it, without the call: words of the engine are the same objects, and few steps find them. */
export function placeIn<Word>(words: readonly Word[], word: Word): number {
  for (let place = 0; place < words.length; place += 1) {
    if (words[place] === word) return place;
  }
  return -1;
}
