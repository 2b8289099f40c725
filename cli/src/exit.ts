// Exit codes, so that scripts can tell a refusal from a mistyped option and from a server that is not there.

export const exitCodes = {
  done: 0,
  /** The work was done and what it found is not well, or the exchange refused it. */
  failed: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** The work could not be begun: nobody is signed in, a credential was refused, data is in use. */
  unusable: 3,
  /** No answer came from the server. */
  unreachable: 4,
} as const;

export const exitHelp = `
Exit codes: 0 done; 1 refused, or something is not well; 2 wrong usage; 3 could not begin, not signed in say; 4 no answer.`;
