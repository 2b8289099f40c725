// Builders who trade with keys of their own: in the place of an app, orders and earnings name the user.
import type { BuilderFee } from '@sibyl/engine';

/** Without a fee, and as one's own: the builder's part of the taker fee goes to the treasury. */
export function ownBuilder(userId: string): BuilderFee {
  return Object.freeze({ appId: userId, feeBps: 0, capBps: 0, isOwn: true });
}

/** The app that an order or a fill came through; null if it was a key of its builder. */
export function appNamed(builderId: string | null): string | null {
  return builderId?.startsWith('app_') === true ? builderId : null;
}
