import { expect, it } from 'vitest';
import { isVisible, visibleText } from './plain-text.ts';

it('[DC9] the portable pattern and x-visible together refuse every format character', () => {
  const pattern = new RegExp(visibleText.pattern);
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/\p{Cf}|[\u{e0000}-\u{e0fff}]|\u034f|\ufe0f|[\u115f\u2800\u3164\uffa0]/u.test(character))
      continue;
    const isRefused = !pattern.test(character) || !isVisible(character);
    expect([code.toString(16), isRefused]).toEqual([code.toString(16), true]);
    if (code < 0x10000)
      expect([code.toString(16), pattern.test(character)]).toEqual([code.toString(16), false]);
  }
  for (const text of ['Ada Example', 'Größe 東京 🙂', '']) {
    expect([text, pattern.test(text) && isVisible(text)]).toEqual([text, true]);
  }
});
