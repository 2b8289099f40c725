// The mode of a lane as clients are told of it.

/** What is possible in a lane, in the word of the interface. */
export function platformModeOf(
  readOnly: boolean,
  cancelOnly: boolean,
): 'normal' | 'read_only' | 'cancel_only' {
  if (cancelOnly) return 'cancel_only';
  return readOnly ? 'read_only' : 'normal';
}
