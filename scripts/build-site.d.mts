/** Builds the pages with the given Node if what they are made of has changed. */
export function buildSite(node: string): void;
