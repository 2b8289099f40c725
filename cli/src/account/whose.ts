// Whose account a command is about: one's own, a subaccount of it, or one that was delegated.

import type { Command } from 'commander';
import { given } from './server.ts';

export interface WhoseOptions {
  readonly subaccount?: string;
  readonly onBehalfOf?: string;
}

export function withWhose(command: Command): Command {
  return command
    .option('--subaccount <id>', 'of this subaccount')
    .option('--on-behalf-of <account-id>', 'of an account that has delegated to you');
}

export function whoseOf({ subaccount, onBehalfOf }: WhoseOptions): {
  readonly subaccount_id?: string;
  readonly on_behalf_of?: string;
} {
  return given({ subaccount_id: subaccount, on_behalf_of: onBehalfOf });
}
