// The number of the engine's logic: every command has the same outcome under the same number.

/**
 * 1 until the first release. From then on, raise it with every change after which a command could have another outcome or
 * a state be written in another way: lane/frozen/README.md.
 */
export const ENGINE_LOGIC = 1;

/**
 * Tells builds apart that share a number: a digest of what the recorded commands come to, written by tools/pin-engine.ts.
 * Data of another build are refused as such, and not replayed to another result.
 */
export const ENGINE_BUILD = 'dc1ecb93c6a1';
