// Exit codes, so that scripts can tell a broken journal from a mistyped option.

export const exitCodes = {
  done: 0,
  /** The work was done and what it found is not well. */
  failed: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** The work could not be begun: data in use, server not reachable, token refused. */
  unusable: 3,
} as const;

export const exitHelp = `
Exit codes: 0 done; 1 something is not well; 2 wrong usage; 3 could not begin.`;
