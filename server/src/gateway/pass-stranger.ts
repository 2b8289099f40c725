// The checks of a request that reaches no operation: an unknown path, a document, or a file of the pages.

import type { ApiError } from '../handling/handler.ts';
import type { Incoming } from './exchange.ts';
import {
  chargeForFile,
  chargeStranger,
  type Passage,
  rateLimited,
  type Services,
  tooManyConnections,
} from './gate.ts';

/** Null if it may go on; it counts as a read of its address, whoever asks. */
export function passStranger(
  services: Services,
  request: Incoming,
  passage: Passage,
): ApiError | null {
  if (!services.connections.admitStranger(request.raw.socket, passage.address))
    return tooManyConnections('read');
  passage.rate = chargeStranger(services, passage, 'read');
  return passage.rate.isAllowed ? null : rateLimited(passage.rate);
}

/** Files of the pages have a wider share of their own, so that opening a page leaves its reader all of the reads. */
export function passFile(services: Services, request: Incoming, passage: Passage): ApiError | null {
  if (!services.connections.admitStranger(request.raw.socket, passage.address))
    return tooManyConnections('read');
  passage.rate = chargeForFile(services, passage);
  return passage.rate.isAllowed ? null : rateLimited(passage.rate);
}
