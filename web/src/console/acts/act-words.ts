// Every action in words: what its form says about it, and what the audit log says was done to whom.
import { amountWords, type Said } from './said.ts';

interface Words {
  /** For operators; the contract's description is for programs and names codes. */
  readonly help: string;
  /** An imperative phrase: "credit 250 USDT to acc_…". */
  readonly phrase: (said: Said) => string;
}

const fixed = (help: string, phrase: string): Words => ({ help, phrase: () => phrase });

const actWords: Readonly<Record<string, Words>> = {
  openOperatorSession: fixed('Sign in by name and password.', 'sign in'),
  closeOperatorSession: fixed('Ends this session.', 'sign out'),
  endOperatorSession: fixed('Ends another of your sessions immediately.', 'end a session'),
  changeOperatorPassword: fixed(
    'Sets a new password for your account and ends your other sessions.',
    'change their password',
  ),
  stepUpOperatorSession: fixed('Confirms that it is you.', 'confirm the session'),
  enrolOperatorTotp: fixed(
    'Shows a key for an authenticator app.',
    'begin to set up an authenticator',
  ),
  confirmOperatorTotp: fixed(
    'From now on, signing in needs a code of the app.',
    'set up an authenticator',
  ),
  removeOperatorTotp: fixed(
    'Removes your authenticator and its recovery codes.',
    'remove their authenticator',
  ),
  renewOperatorRecoveryCodes: fixed('Replaces all recovery codes.', 'renew their recovery codes'),
  approveAct: {
    help: 'Agrees to the request, which is then carried out. You cannot approve your own request.',
    phrase: ({ text }) => `approve the request ${text('approval_id')}`,
  },
  rejectAct: {
    help: 'Rejects the request, or withdraws your own. Nothing is carried out.',
    phrase: ({ text }) => `reject the request ${text('approval_id')}`,
  },
  addOperator: {
    help: 'The new operator can only view until an admin grants more roles. The password is shown once: hand it over.',
    phrase: ({ text }) => `add the operator ${text('name')}`,
  },
  setOperatorRoles: {
    help: 'Replaces the current roles. Adding roles needs a second admin; removing takes effect immediately. The last admin cannot be removed.',
    phrase: ({ text, words }) => `set the roles of ${text('operator_id')} to ${words('roles')}`,
  },
  setOperatorUser: {
    help: 'Links the operator to their own user account. A second admin agrees before a link is changed or removed.',
    phrase: ({ text, has }) =>
      has('user_id')
        ? `link ${text('operator_id')} to the user ${text('user_id')}`
        : `unlink ${text('operator_id')} from a user`,
  },
  disableOperator: {
    help: 'Permanent: all sessions end and the operator cannot sign in again. The last admin cannot be disabled.',
    phrase: ({ text }) => `disable ${text('operator_id')}`,
  },
  resetOperatorFactor: {
    help: 'For a lost authenticator: removes it with its recovery codes and ends all sessions of the operator. A second admin agrees.',
    phrase: ({ text }) => `reset the second factor of ${text('operator_id')}`,
  },
  setUserScopes: {
    help: 'Replaces the scopes of the user. Adding scopes needs a second admin.',
    phrase: ({ text, words }) => `set the scopes of ${text('user_id')} to ${words('scopes')}`,
  },
  createResetLink: {
    help: 'The link sets a new password, once, within 60 minutes. Where the exchange sends mail, the user gets it by mail; otherwise hand it over after checking who asks. For accounts worth more than the approval limit, a second operator agrees and gets the link.',
    phrase: ({ text }) => `create a password reset link for ${text('user_id')}`,
  },
  createVerificationLink: {
    help: 'The link verifies the e-mail address, once, within 24 hours. Where the exchange sends mail, the user gets it by mail.',
    phrase: ({ text }) => `create a verification link for ${text('user_id')}`,
  },
  removeUserFactors: {
    help: 'For a user who lost the authenticator, all passkeys and the recovery codes. Ends all sessions and holds withdrawals for 24 hours. A second admin agrees.',
    phrase: ({ text }) => `remove the second factors of ${text('user_id')}`,
  },
  setPlatformMode: {
    help: 'Read only pauses new orders; cancel only halts all trading; normal resumes. Reads and cancels always work.',
    phrase: ({ word }) => `set the lane to ${word('mode')}`,
  },
  decideClock: {
    help: 'Trading waits because two clocks differ. Accept the wall clock, or keep the journal time.',
    phrase: ({ word }) => `decide about the clock: ${word('decision')}`,
  },
  setParameters: {
    help: 'Changes one part of the lane’s parameters. It takes effect immediately and adds a version.',
    phrase: ({ word }) => `change the parameters of ${word('part')}`,
  },
  setMaintenance: {
    help: 'Announces, begins or ends maintenance of the whole service, both lanes.',
    phrase: ({ word }) => `set maintenance to ${word('phase')}`,
  },
  haltMarket: {
    help: 'Stops new orders in this market. Cancels still work.',
    phrase: ({ text }) => `halt the market ${text('market_id')}`,
  },
  resumeMarket: {
    help: 'Opens the market for orders again.',
    phrase: ({ text }) => `resume the market ${text('market_id')}`,
  },
  approveMarket: {
    help: 'Opens the market for trading.',
    phrase: ({ text }) => `approve the market ${text('market_id')}`,
  },
  createPlatformMarket: {
    help: 'Makes a market at the cost of the platform. It opens without approval.',
    phrase: ({ text }) => `make a market from the template ${text('template_id')}`,
  },
  cancelMarket: {
    help: 'For a market without a trade: returns the deposit in full. It cannot be undone.',
    phrase: ({ text }) => `cancel the market ${text('market_id')}`,
  },
  proposeCancellation: {
    help: 'Proposes to cancel the market and pay fair value. In live a second operator confirms after the notice.',
    phrase: ({ text }) => `propose to cancel the market ${text('market_id')}`,
  },
  confirmCancellation: {
    help: 'Confirms the proposed cancellation, or drops it.',
    phrase: ({ text, word }) =>
      `rule on the cancellation of ${text('market_id')}: ${word('ruling')}`,
  },
  proposeRounds: fixed(
    'Proposes to cancel several fast rounds at once.',
    'propose to cancel fast rounds',
  ),
  confirmRounds: fixed(
    'Confirms or drops proposed cancellations of fast rounds.',
    'rule on the cancellation of fast rounds',
  ),
  setTickSize: {
    help: 'Makes prices of this market finer.',
    phrase: ({ text }) => `set the tick of ${text('market_id')} to ${text('tick_size')}`,
  },
  clarifyMarket: {
    help: 'Adds a dated clarification to the rules of the market.',
    phrase: ({ text }) => `clarify the market ${text('market_id')}`,
  },
  attachChainData: {
    help: 'Attaches settlement metadata to a market, an account or a trade.',
    phrase: ({ text, word }) => `attach chain data to the ${word('record')} ${text('id')}`,
  },
  proposeResolution: {
    help: 'Proposes the answer. Accounts can challenge it until the window ends; in live a second operator agrees.',
    phrase: ({ text, has }) =>
      `propose the answer ${has('winning_outcome_id') ? text('winning_outcome_id') : 'with a split payout'} for ${text('market_id')}`,
  },
  ruleResolution: {
    help: 'Decides the dispute, or changes a proposed answer. In live a second operator agrees.',
    phrase: ({ text, word }) => `rule on the market ${text('market_id')}: ${word('ruling')}`,
  },
  creditDeposit: {
    help: 'Credits money that arrived outside. The reference makes it count once. Above your daily limit in live, a second operator agrees.',
    phrase: (said) => `credit ${amountWords(said)} to ${said.text('account_id')}`,
  },
  correctBalance: {
    help: 'Corrects a wrong booking: adds to the available balance, or takes from it with a minus sign. A second operator agrees.',
    phrase: (said) => `correct the balance of ${said.text('account_id')} by ${amountWords(said)}`,
  },
  payPlatformFees: {
    help: 'Pays vested fees of the treasury or the insurance fund to an account. In live a second operator agrees.',
    phrase: (said) =>
      `pay ${said.text('amount')} from the ${said.word('fund')} to ${said.text('account_id')}`,
  },
  approveWithdrawal: {
    help: 'Releases the withdrawal. A second operator agrees.',
    phrase: (said) => `release the withdrawal ${said.text('withdrawal_id')}`,
  },
  rejectWithdrawal: {
    help: 'Returns the money to the account. The owner reads the message, never the reason.',
    phrase: ({ text }) => `return the withdrawal ${text('withdrawal_id')}`,
  },
  takeWithdrawal: {
    help: 'Take it right before you send the money. The owner cannot cancel it after that.',
    phrase: ({ text }) => `take the withdrawal ${text('withdrawal_id')} to pay it by hand`,
  },
  markWithdrawalPaid: {
    help: 'Marks the withdrawal as paid after you sent the money. The owner reads the reference. It cannot be undone.',
    phrase: ({ text }) =>
      `mark the withdrawal ${text('withdrawal_id')} as paid by ${text('reference')}`,
  },
  freezeAccount: {
    help: 'Cancels all open orders. The account can only cancel and read. Its owner reads the message, never the reason. Subaccounts freeze with their owner.',
    phrase: ({ text }) => `freeze ${text('account_id')}`,
  },
  unfreezeAccount: {
    help: 'Ends the freeze. Cancelled orders stay cancelled.',
    phrase: ({ text }) => `unfreeze ${text('account_id')}`,
  },
  setTierCeilings: {
    help: 'Changes the limits for keys of this tier. Lower limits are announced first.',
    phrase: ({ word }) => `set the ceilings of the tier ${word('tier')}`,
  },
  setRateQuota: {
    help: 'Changes a request quota for all callers of this kind. Lower quotas are announced first.',
    phrase: ({ word, text }) =>
      `set the quota of ${word('holder')}, ${word('category')}, to ${text('per_minute')} a minute`,
  },
  setKeyTier: {
    help: 'Sets the tier or the rate multiplier of one key, immediately.',
    phrase: ({ text }) => `set the tier of the key ${text('key_id')}`,
  },
  setKeySigning: {
    help: 'Allows or stops signed requests by this key.',
    phrase: ({ text, word }) => `set signing by the key ${text('key_id')} to ${word('enabled')}`,
  },
  setPartnerScopes: {
    help: 'What the key may do for other accounts. The key needs the tier partner or institutional.',
    phrase: ({ text, words }) =>
      `set the partner scopes of ${text('key_id')} to ${words('partner_scopes')}`,
  },
  setAccountTier: {
    help: 'The tier of keys that the user creates from now on, and the rate multiplier of sessions.',
    phrase: ({ text, word }) => `set the tier of ${text('account_id')} to ${word('tier')}`,
  },
  approveBuilder: {
    help: 'The user and their live keys get the tier of the track immediately. The genesis track has 20 places.',
    phrase: ({ name }) => `approve the builder application of ${name('user_id')}`,
  },
  rejectBuilder: {
    help: 'Rejects the application. The user reads your note.',
    phrase: ({ name }) => `reject the builder application of ${name('user_id')}`,
  },
  setLoadTest: {
    help: 'Multiplies the request quotas of a builder for a limited time.',
    phrase: ({ name }) => `set a load test for ${name('user_id')}`,
  },
  approveApp: {
    help: 'Opens the app to users under the verified name.',
    phrase: ({ name }) => `approve the app ${name('app_id')}`,
  },
  rejectApp: {
    help: 'Sends the app back to its owner, who reads your note.',
    phrase: ({ name }) => `reject the app ${name('app_id')}`,
  },
  disableApp: {
    help: 'Stops the app and all its tokens immediately.',
    phrase: ({ name }) => `disable the app ${name('app_id')}`,
  },
  enableApp: {
    help: 'Allows the app again.',
    phrase: ({ name }) => `enable the app ${name('app_id')}`,
  },
  setAccountCountry: {
    help: 'Replaces the country that the user declared.',
    phrase: ({ text }) => `set the country of ${text('account_id')} to ${text('country')}`,
  },
  loadCompliance: fixed(
    'Replaces all compliance rules. They take effect immediately.',
    'load compliance rules',
  ),
  testCompliance: fixed(
    'Tests what the rules would say about a person. Nothing changes.',
    'test the compliance rules',
  ),
  clearComplianceFlag: {
    help: 'Closes the flag and lifts its block.',
    phrase: ({ text }) => `clear the flag ${text('flag_id')}`,
  },
  linkAccounts: {
    help: 'Treats two accounts as one person, or ends that.',
    phrase: ({ text, is }) =>
      `${is('linked') ? 'link' : 'unlink'} ${text('account_id')} and ${text('other_account_id')}`,
  },
  startReconciliation: fixed(
    'Sums every ledger account of the lane. Trading continues meanwhile.',
    'start a reconciliation',
  ),
  rebuildHistory: fixed(
    'Rebuilds the read model from the journal. The old one serves until it is done.',
    'rebuild the history',
  ),
  createBackup: fixed(
    'Copies journals, snapshots, users and keys into a new folder while the server runs.',
    'make a backup',
  ),
  publishTemplate: fixed('Publishes a template, or the next version of one.', 'publish a template'),
  deprecateTemplate: {
    help: 'No new markets can be made from this template.',
    phrase: ({ text }) => `deprecate the template ${text('template_id')}`,
  },
  allowLocalReceiver: {
    help: 'Webhooks of one sandbox account may go to one port of this machine by plain HTTP, until the time is over. 0 seconds end it immediately.',
    phrase: ({ text }) => {
      const port = `port ${text('port')} of ${text('address')}`;
      return text('ttl_sec') === '0'
        ? `end webhooks of ${text('account_id')} to ${port}`
        : `allow webhooks of ${text('account_id')} to ${port} for ${text('ttl_sec')} seconds`;
    },
  },
};

export function helpFor(operation: string, otherwise: string): string {
  return wordsFor(operation)?.help ?? otherwise;
}

export function phraseFor(operation: string, said: Said): string {
  return wordsFor(operation)?.phrase(said) ?? operation;
}

/** The audit log keeps actions of other builds. */
function wordsFor(operation: string): Words | undefined {
  return Object.hasOwn(actWords, operation) ? actWords[operation] : undefined;
}
