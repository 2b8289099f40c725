// What the templates that the exchange begins with say, in the reader's language. What operators and makers wrote stays as it is.
import { type Locale, translate, type Words } from '../texts/texts.ts';

const builtIn: ReadonlySet<string> = new Set([
  'own-question',
  'own-choice-3',
  'own-choice-4',
  'own-choice-5',
  'own-choice-6',
  'own-number',
  'yes-no-question',
  'price-above',
  'product-launch',
]);

const names: readonly Words[] = [
  { en: 'Your own question', de: 'Eigene Frage', es: 'Su propia pregunta', zh: '自定义问题' },
  ...[3, 4, 5, 6].map((count) => ({
    en: `Your own question with ${count} answers`,
    de: `Eigene Frage mit ${count} Antworten`,
    es: `Su propia pregunta con ${count} respuestas`,
    zh: `有 ${count} 个答案的自定义问题`,
  })),
  {
    en: 'Your own question for a number',
    de: 'Eigene Frage nach einer Zahl',
    es: 'Su propia pregunta sobre un número',
    zh: '自定义数值问题',
  },
  {
    en: 'Any question, after review',
    de: 'Beliebige Frage, nach Prüfung',
    es: 'Cualquier pregunta, tras revisión',
    zh: '任意问题,审核后开放',
  },
];

const labels: readonly Words[] = [
  { en: 'Question', de: 'Frage', es: 'Pregunta', zh: '问题' },
  {
    en: 'When trading closes',
    de: 'Wann der Handel schließt',
    es: 'Cuándo cierra la negociación',
    zh: '交易截止时间',
  },
  {
    en: 'The first answer',
    de: 'Die erste Antwort',
    es: 'La primera respuesta',
    zh: '第一个答案',
  },
  {
    en: 'The second answer',
    de: 'Die zweite Antwort',
    es: 'La segunda respuesta',
    zh: '第二个答案',
  },
  {
    en: 'The third answer',
    de: 'Die dritte Antwort',
    es: 'La tercera respuesta',
    zh: '第三个答案',
  },
  {
    en: 'The fourth answer',
    de: 'Die vierte Antwort',
    es: 'La cuarta respuesta',
    zh: '第四个答案',
  },
  {
    en: 'The fifth answer',
    de: 'Die fünfte Antwort',
    es: 'La quinta respuesta',
    zh: '第五个答案',
  },
  {
    en: 'The sixth answer',
    de: 'Die sechste Antwort',
    es: 'La sexta respuesta',
    zh: '第六个答案',
  },
  {
    en: 'Lower end, a decimal',
    de: 'Unteres Ende, eine Dezimalzahl',
    es: 'Extremo inferior, un decimal',
    zh: '下限(小数)',
  },
  {
    en: 'Upper end, a decimal',
    de: 'Oberes Ende, eine Dezimalzahl',
    es: 'Extremo superior, un decimal',
    zh: '上限(小数)',
  },
  { en: 'Unit', de: 'Einheit', es: 'Unidad', zh: '单位' },
];

const rules: readonly Words[] = [
  {
    en: 'Resolves to yes or to no.',
    de: 'Wird mit Ja oder mit Nein entschieden.',
    es: 'Se resuelve con sí o con no.',
    zh: '结果为是或否。',
  },
  {
    en: 'Resolves to one of its answers.',
    de: 'Wird mit einer der Antworten entschieden.',
    es: 'Se resuelve con una de sus respuestas.',
    zh: '结果为其中一个答案。',
  },
  {
    en: 'Pays by where the number lies between the lower and the upper end.',
    de: 'Zahlt danach, wo die Zahl zwischen dem unteren und dem oberen Ende liegt.',
    es: 'Paga según dónde esté el número entre el extremo inferior y el superior.',
    zh: '按数值在下限与上限之间的位置支付。',
  },
  {
    en: 'Resolves to yes if the price in USDT is above the level when trading closes.',
    de: 'Wird mit Ja entschieden, wenn der Preis in USDT bei Handelsschluss über der Marke liegt.',
    es: 'Se resuelve con sí si el precio en USDT está por encima del nivel al cierre.',
    zh: '交易截止时以 USDT 计的价格高于该水平,则结果为是。',
  },
  {
    en: 'Resolves to yes if the product can be bought before trading closes.',
    de: 'Wird mit Ja entschieden, wenn das Produkt vor Handelsschluss gekauft werden kann.',
    es: 'Se resuelve con sí si el producto puede comprarse antes del cierre.',
    zh: '交易截止前可以买到该产品,则结果为是。',
  },
];

const byEnglish = new Map([...names, ...labels, ...rules].map((words) => [words.en, words]));

/** A name, label or rule of a template; as it is unless it is what the exchange itself wrote there. */
export function templateWords(locale: Locale, templateId: string, text: string): string {
  const words = builtIn.has(templateId) ? byEnglish.get(text) : undefined;
  return words === undefined ? text : translate(locale, words);
}
