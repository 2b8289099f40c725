// Turns the contract's catalogue of webhook events into a list that pages can offer.

import { isSentWebhookEventType, webhookEventTypes } from '@sibyl/contract';

export function webhooksModule(): string {
  const sent = webhookEventTypes.filter(isSentWebhookEventType);
  return `// Generated from the contract by sdk/emit/main.ts; edit the contract instead.

/** The types of webhook events that are sent today, in the order of the documents. */
export const webhookEventTypes = [
${sent.map((type) => `  '${type}',`).join('\n')}
] as const;
`;
}
