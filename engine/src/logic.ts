// The number of the engine's logic: the same number means the same outcome of every command, for ever.

/**
 * Raised with every change after which some command could come to another outcome, or a state be written down in another
 * way; refactoring does not count. The engine of the number before is frozen first: see lane/frozen/README.md.
 */
export const ENGINE_LOGIC = 8;
