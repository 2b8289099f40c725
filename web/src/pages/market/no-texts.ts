// Texts of Yes and No on one of many answers.
import type { Texts } from '../../texts/texts.ts';

export const noTexts = {
  noOn: {
    en: 'No on {outcome}',
    de: 'Nein zu {outcome}',
    es: 'No a {outcome}',
    zh: '{outcome}：否',
  },
  stance: { en: 'Yes or No', de: 'Ja oder Nein', es: 'Sí o No', zh: '是或否' },
  yes: { en: 'Yes', de: 'Ja', es: 'Sí', zh: '是' },
  no: { en: 'No', de: 'Nein', es: 'No', zh: '否' },
  noNote: {
    en: 'Pays if any other answer wins. You get one share of each other answer; all of it fills now, or nothing.',
    de: 'Zahlt, wenn eine andere Antwort gewinnt. Sie erhalten je einen Anteil aller anderen Antworten; alles wird jetzt ausgeführt oder nichts.',
    es: 'Paga si gana cualquier otra respuesta. Recibe una acción de cada otra respuesta; se ejecuta todo ahora o nada.',
    zh: '其他任一选项胜出即可获赔。您将获得其他每个选项各一份；立即全部成交，否则不成交。',
  },
} satisfies Texts<string>;
