// The public surface of the client.

export type { Envelope } from './answer.ts';
export { createClient, createSandboxClient, type SibylClient } from './client.ts';
export { DeadManSwitch, type SwitchOptions } from './dead-man-switch.ts';
export {
  addAmounts,
  checkOrder,
  compareAmounts,
  formatAmount,
  type Grid,
  notionalOf,
  type OrderProblem,
  parseAmount,
  roundPrice,
  roundSize,
  subtractAmounts,
} from './decimal.ts';
export {
  type AnyErrorCode,
  type ErrorFacts,
  SibylConnectionError,
  SibylError,
  SibylTimeoutError,
} from './errors.ts';
export * from './generated/errors.ts';
export type * from './generated/operations.ts';
export { webhookEventTypes } from './generated/webhooks.ts';
export { Limiter, type LimiterOptions } from './limiter.ts';
export type { Listing, Page } from './listing.ts';
export {
  type AnswerMeta,
  type CallOptions,
  type ClientOptions,
  defaultBaseUrl,
  type RateLimit,
  type Settings,
  settingsOf,
} from './options.ts';
export { OrderTracker, type TrackedOrder, type TrackerOptions } from './order-tracker.ts';
export {
  type SignableRequest,
  type SignedHeaders,
  type SigningCredential,
  signRequest,
} from './signing.ts';
export { BookLevels, type Level } from './socket/book-levels.ts';
export type {
  BaseOf,
  FrameOn,
  NoticeFrame,
  StreamBase,
  StreamFrame,
  StreamMessageType,
  StreamNameText,
} from './socket/frames.ts';
export { type BookChange, type BookOptions, LiveOrderBook } from './socket/live-order-book.ts';
export {
  createSocket,
  type Identity,
  type Latency,
  SibylSocket,
  type SocketListeners,
  type SocketState,
} from './socket/socket.ts';
export type { SocketOptions, TokenSource } from './socket/socket-options.ts';
export {
  type ResyncNotice,
  StreamOverrun,
  type SubscribeOptions,
  Subscription,
} from './socket/subscription.ts';
export type { SocketConstructor, SocketLike } from './socket/web-socket.ts';
export { fillPath, type Request, Transport } from './transport.ts';
export type * from './types.ts';
export {
  signWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookNotice,
  type WebhookRequest,
} from './webhook.ts';
