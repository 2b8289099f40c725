// A broken invariant is a defect: it throws, in production too, and nobody catches it.

export class Defect extends Error {
  override readonly name = 'Defect';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Defect(message);
}
