// What a builder agrees to, as it is read before it is accepted. A change of the text is a new version.

export const builderAgreement = Object.freeze({
  version: '2026-08',
  paragraphs: Object.freeze([
    'You build on this exchange in your own name, and what you tell of yourself and of your apps is true. Tell us when it changes.',
    'Your app does for a user what that user has allowed it, and nothing else. It never asks for a password, a key or a second factor, and it says before it takes a builder fee.',
    'You keep client secrets and tokens where only your app reaches them. If one may have leaked, you rotate it at once and tell us within a day.',
    'You keep of a user no more than your app needs, pass nothing on without being asked to, and delete it when the user leaves.',
    'You respect the limits of the interface and do not get around them with several accounts, keys or apps. Load tests are announced and granted beforehand.',
    'You do not place orders to move prices or volumes for show, and you do not help others to trade where they may not.',
    'We may disable an app that harms users or the market, at once and with the reason. Fees that your users have paid by then stay yours.',
    'You may leave at any time by disabling your apps. This agreement is accepted per version; we ask again when it changes.',
  ]),
});
