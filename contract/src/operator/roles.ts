// What an operator may be: roles, and which of them an operation asks for.

/** Every operator is at least a viewer; an admin may do what any other may. */
export const operatorRoles = ['viewer', 'support', 'market_manager', 'treasurer', 'admin'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What each may do beside looking, in a phrase. */
const roleMeanings: Readonly<Record<OperatorRole, string>> = {
  viewer: 'looks at everything and changes nothing',
  support:
    'tiers and countries of users, builders and apps, freezes, flags, links for new passwords',
  market_manager: 'makes, halts, cancels and resolves markets, publishes templates, pauses a lane',
  treasurer:
    'deposits, corrections of balances, withdrawals above the limit or paid by hand, reconciliation',
  admin: 'all of that, and operators, scopes of users, clock, maintenance, backups, history',
};

/** All of them, for whoever has to choose. */
export const rolesInWords = operatorRoles
  .map((role) => `${role}: ${roleMeanings[role]}`)
  .join('; ');

/** Of words that are kept somewhere, the roles: one that this build does not know grants nothing. */
export function rolesIn(words: readonly string[]): OperatorRole[] {
  return operatorRoles.filter((role) => words.includes(role));
}

/** Whether somebody with these roles may do what asks for that one. */
export function mayAct(held: readonly OperatorRole[], needed: OperatorRole): boolean {
  if (held.length === 0) return false;
  return needed === 'viewer' || held.includes('admin') || held.includes(needed);
}

/** Who may do what asks for that role, in words, each role once. */
export function whoMayAct(needed: OperatorRole): string {
  if (needed === 'viewer') return 'any operator';
  const roles = new Set<OperatorRole>([needed, 'admin']);
  return [...roles].map((role) => role.replace('_', ' ')).join(' or ');
}

/**
 * Whether a second operator has to agree: `always`, or `sometimes`, which the server decides by what is asked. In the
 * sandbox nobody has to.
 */
export type Approval = 'never' | 'sometimes' | 'always';
