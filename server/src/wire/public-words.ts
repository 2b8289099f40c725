// What everyone reads of an operator's act without a public message.

export const publicWords = {
  normal: 'resumed by the operator',
  read_only: 'paused by the operator',
  cancel_only: 'halted by the operator',
  cancelled: 'cancelled by the operator',
  clock: 'clock set by the operator',
} as const;

/** What the owner reads instead of a message: a code, which the pages have words for. */
export const ownerWords = { rejected: 'rejected', tier: 'changed_by_operator' } as const;

/** Whether it says no more than that an operator acted. */
export function isStandard(message: string): boolean {
  return Object.values<string>(publicWords).includes(message);
}
