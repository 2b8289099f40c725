// The webhook events as OpenAPI webhooks: what a receiver is sent, and what it should answer.

import {
  exampleDelivery,
  webhookEnvelopeOf,
  webhookEvents,
  webhookEventTypes,
  webhookHeaders,
} from '../src/webhooks.ts';
import { type Json, lift, modelName } from './openapi-component.ts';

/** One path item per event type, and the types as the closed set that they are to whoever registers. */
export function webhookObjects(schemas: Map<string, Json>): Json {
  schemas.set('WebhookEventType', {
    ...schemas.get('WebhookEventType'),
    enum: [...webhookEventTypes],
  });
  return Object.fromEntries(
    webhookEventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on_${type.replace('.', '_')}`,
          tags: ['Webhooks'],
          // Receivers look for the name that they registered for.
          summary: type,
          description: webhookEvents[type].description,
          // A delivery proves itself by its signature and carries no credential.
          security: [],
          parameters: Object.entries(webhookHeaders).map(([name, { description, schema }]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: lift(schema, schemas),
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: lift(
                  { ...webhookEnvelopeOf(type), title: modelName(type, 'Event') },
                  schemas,
                ),
                example: exampleDelivery(type),
              },
            },
          },
          responses: {
            '2XX': { description: 'Taken. Anything else, a redirect too, is tried again.' },
            410: { description: 'The endpoint is gone: the webhook is disabled at once.' },
          },
          'x-since': webhookEvents[type].since,
          'x-aggregate': webhookEvents[type].aggregate,
        },
      },
    ]),
  );
}
