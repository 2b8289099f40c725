// What was said with an action, for sentences about it: fields of the path, the body and the answer.

type PlainRecord = Readonly<Record<string, unknown>>;

export interface Said {
  readonly has: (name: string) => boolean;
  readonly is: (name: string) => boolean;
  /** As it was said: amounts and ids. */
  readonly text: (name: string) => string;
  /** A word of an enumeration. */
  readonly word: (name: string) => string;
  readonly words: (name: string) => string;
  /** What the answer calls the record; its id where there is no name. */
  readonly name: (id: string) => string;
}

const MISSING = '…';

export function saidIn(input: PlainRecord, answer: unknown = null): Said {
  const text = (name: string): string => {
    const value = input[name];
    if (value === undefined || value === null) return MISSING;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const plain = (word: string): string => word.replaceAll('_', ' ');
  const named = typeof answer === 'object' && answer !== null ? (answer as PlainRecord).name : null;
  return {
    has: (name) => input[name] !== undefined && input[name] !== null,
    is: (name) => input[name] === true,
    text,
    word: (name) => plain(text(name)),
    words: (name) => {
      const list = input[name];
      if (!Array.isArray(list)) return MISSING;
      return list.length === 0 ? 'none' : list.map((word) => plain(String(word))).join(', ');
    },
    name: (id) => (typeof named === 'string' && named.trim() !== '' ? named : text(id)),
  };
}

export function amountWords({ text }: Said): string {
  return `${text('amount')} ${text('asset')}`;
}

const IRREGULAR: Readonly<Record<string, string>> = {
  begin: 'began',
  clarify: 'clarified',
  cancel: 'cancelled',
  freeze: 'froze',
  make: 'made',
  pay: 'paid',
  rebuild: 'rebuilt',
  reset: 'reset',
  set: 'set',
  take: 'took',
  unfreeze: 'unfroze',
};

/** "credit 250 USDT" as "credited 250 USDT". */
export function past(phrase: string): string {
  const [verb = '', ...others] = phrase.split(' ');
  const done = IRREGULAR[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);
  return [done, ...others].join(' ');
}
