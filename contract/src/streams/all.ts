// All messages of the socket by type; a new one stands in the file of its stream and nowhere else.

import type { Static } from 'typebox';
import { accountMessages } from './account.ts';
import { broadcastMessages } from './broadcast.ts';
import { fastTickMessages } from './fast-tick.ts';
import { fundsMessages } from './funds.ts';
import { marketMessages } from './markets.ts';
import { orderbookMessages } from './orderbook.ts';
import { rfqMessages } from './rfq.ts';
import { sessionMessages } from './session.ts';
import { signalMessages } from './signals.ts';
import { tickerMessages } from './ticker.ts';

export const streamMessages = Object.freeze({
  ...sessionMessages,
  ...broadcastMessages,
  ...tickerMessages,
  ...orderbookMessages,
  ...fastTickMessages,
  ...marketMessages,
  ...signalMessages,
  ...accountMessages,
  ...fundsMessages,
  ...rfqMessages,
});

export type StreamMessages = typeof streamMessages;
export type StreamMessageType = keyof StreamMessages;
/** What a message of this type carries under `data`. */
export type StreamData<Type extends StreamMessageType> = Static<StreamMessages[Type]['data']>;
