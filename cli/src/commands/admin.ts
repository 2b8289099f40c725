// sibyl admin: every operation of the operator plane as a command, and shorter ones for people.

import { operatorOperations } from '@sibyl/contract';
import type { Command } from 'commander';
import { exitHelp } from '../exit.ts';
import { addOperation } from './admin-operation.ts';
import { addPeople } from './admin-people.ts';

export function addAdmin(program: Command): void {
  const admin = program
    .command('admin')
    .description('act as the operator of a running server')
    .addHelpText(
      'after',
      `
Sign in first (sibyl admin login NAME): the session is kept on this machine, in sibyl/operator-sessions.json of
XDG_CONFIG_HOME (by default ~/.config), which its owner alone can read. Every act needs --reason, which the journal and the
trail keep. Programs give --token or OPERATOR_TOKEN instead; the server is that of ADMIN_PORT on this machine, unless --url says
otherwise. Passwords are typed, or read from standard input, never given as arguments. What is dangerous needs sibyl admin confirm shortly before, and may wait for a second operator: sibyl admin queue list.
A second factor is enrolled by sibyl admin factor enrol and factor confirm --otp CODE; login and confirm ask for a code from then on.

  sibyl admin withdrawals list --state open
  sibyl admin queue show apr_0123456789abcdef
  sibyl admin halt-market m_0123456789abcdef --lane sandbox --reason "wrong feed"
  sibyl admin queue approve apr_0123456789abcdef --reason "checked the source"
  sibyl admin trail export > trail.ndjson
${exitHelp}`,
    );
  addPeople(admin);
  for (const operation of Object.values(operatorOperations)) addOperation(admin, operation);
}
