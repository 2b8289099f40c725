import { describeWebhookStore } from '../../../test/ports/webhooks-suite.ts';
import { MemoryWebhookStore } from './webhooks.ts';

describeWebhookStore('memory', async () => ({
  open: async () => new MemoryWebhookStore(),
  isDurable: false,
  dispose: async () => {},
}));
