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
  'platform-question',
  'match-result',
  'rate-decision',
  'league-champion',
  'price-range',
  'city-temperature',
  'btc-up-or-down-5m',
  'eth-up-or-down-5m',
  'coin-flip',
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
    zh: '任意问题，审核后开放',
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
  { en: 'Symbol', de: 'Kürzel', es: 'Símbolo', zh: '代码' },
  { en: 'Level in USDT', de: 'Marke in USDT', es: 'Nivel en USDT', zh: '价位(USDT)' },
  { en: 'Strike', de: 'Marke', es: 'Nivel', zh: '行权价' },
  { en: 'Company', de: 'Firma', es: 'Empresa', zh: '公司' },
  { en: 'Product', de: 'Produkt', es: 'Producto', zh: '产品' },
  { en: 'City', de: 'Stadt', es: 'Ciudad', zh: '城市' },
  { en: 'Lower', de: 'Unteres Ende', es: 'Extremo inferior', zh: '下限' },
  { en: 'Upper', de: 'Oberes Ende', es: 'Extremo superior', zh: '上限' },
  { en: 'Home', de: 'Heim', es: 'Local', zh: '主队' },
  { en: 'Away', de: 'Gast', es: 'Visitante', zh: '客队' },
  { en: 'Bank', de: 'Bank', es: 'Banco', zh: '银行' },
  { en: 'Month', de: 'Monat', es: 'Mes', zh: '月份' },
  { en: 'League', de: 'Liga', es: 'Liga', zh: '联赛' },
  { en: 'Player', de: 'Spieler', es: 'Jugador', zh: '玩家' },
  { en: 'First', de: 'Erster', es: 'Primero', zh: '第一' },
  { en: 'Second', de: 'Zweiter', es: 'Segundo', zh: '第二' },
  { en: 'Third', de: 'Dritter', es: 'Tercero', zh: '第三' },
  { en: 'Fourth', de: 'Vierter', es: 'Cuarto', zh: '第四' },
  { en: 'Fifth', de: 'Fünfter', es: 'Quinto', zh: '第五' },
  { en: 'Opens', de: 'Öffnet', es: 'Abre', zh: '开放时间' },
  {
    en: 'When the round opens',
    de: 'Wann die Runde öffnet',
    es: 'Cuándo abre la ronda',
    zh: '回合开始时间',
  },
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
    en: 'Resolves to yes if the player wins the toss.',
    de: 'Wird mit Ja entschieden, wenn der Spieler den Münzwurf gewinnt.',
    es: 'Se resuelve con sí si el jugador gana el lanzamiento.',
    zh: '玩家赢得掷硬币，则结果为是。',
  },
  {
    en: 'Resolves to the winner after regular time, or to a draw.',
    de: 'Wird mit dem Sieger nach der regulären Spielzeit entschieden, oder mit Unentschieden.',
    es: 'Se resuelve con el ganador al final del tiempo reglamentario, o con empate.',
    zh: '结果为常规时间结束时的胜者，或平局。',
  },
  {
    en: 'Resolves to what the bank announces: a cut, no change or a hike of its main rate.',
    de: 'Wird danach entschieden, was die Bank zu ihrem Leitzins mitteilt: Senkung, unverändert oder Erhöhung.',
    es: 'Se resuelve según lo que anuncie el banco sobre su tipo principal: bajada, sin cambios o subida.',
    zh: '结果以银行公布的主要利率决定为准：降息、维持不变或加息。',
  },
  {
    en: 'Resolves to whoever is first at the end of the season.',
    de: 'Wird mit dem entschieden, der am Ende der Saison Erster ist.',
    es: 'Se resuelve con quien sea primero al final de la temporada.',
    zh: '结果为赛季结束时的第一名。',
  },
];

const byEnglish = new Map([...names, ...labels, ...rules].map((words) => [words.en, words]));

/** Whether the exchange begins with the template. */
export function isBuiltIn(templateId: string): boolean {
  return builtIn.has(templateId);
}

/** A name, label or rule of a template; as it is unless it is what the exchange itself wrote there. */
export function templateWords(locale: Locale, templateId: string, text: string): string {
  const words = isBuiltIn(templateId) ? byEnglish.get(text) : undefined;
  return words === undefined ? text : translate(locale, words);
}
