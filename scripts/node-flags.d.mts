export const nodeFlags: readonly string[];
export const serverFlags: readonly string[];
