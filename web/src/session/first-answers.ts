// What came with the page: the answers to what it asks first, each taken once and only while it is new.
import { basePath } from '../lane.ts';

/** However long the scripts took to come; what is shown by then is kept current by its stream. */
const NEW_FOR_MS = 30_000;

const answers = readAnswers();

/** As the platform's, but for what is known already. */
export const fetchUnlessKnown: typeof fetch = (input, init) => {
  const known = init?.method === 'GET' ? take(String(input)) : undefined;
  return known === undefined ? fetch(input, init) : Promise.resolve(Response.json(known));
};

function take(address: string): unknown {
  const { pathname, searchParams } = new URL(address);
  searchParams.sort();
  const path = pathname.slice(basePath.length);
  const asked = searchParams.size === 0 ? path : `${path}?${searchParams}`;
  const known = performance.now() < NEW_FOR_MS ? answers.get(asked) : undefined;
  answers.delete(asked);
  return known;
}

/** A page that somebody went back to may be an old one that the browser kept. */
function readAnswers(): Map<string, unknown> {
  const [navigation] = performance.getEntriesByType('navigation');
  const isKept = navigation !== undefined && Reflect.get(navigation, 'type') === 'back_forward';
  const text = document.getElementById('first-answers')?.dataset.answers;
  return new Map(isKept || text === undefined ? [] : Object.entries(JSON.parse(text)));
}
