// What the console of operators is made from: the operations of their plane, and who may call them.

import type { operatorOperations } from './operator.ts';

export type { AnyOperation, InputOf, OutputOf } from './define.ts';
export { type Fact, type FactValue, factsOf, labelOf } from './facts.ts';
export { mayAct, type OperatorRole, whoMayAct } from './operator/roles.ts';
export { operatorOperations } from './operator.ts';
export type { ApprovalRequest } from './resources/approval.ts';

export type OperatorOperations = typeof operatorOperations;
