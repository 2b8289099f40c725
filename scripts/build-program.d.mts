/** Builds the server with the given Node if what it is made of has changed, and gives the file to run. */
export function buildProgram(node: string): string;
