// The checks of a request that reaches no operation: an unknown path, a document, or a file of the pages.

import type { ApiError } from '../handling/handler.ts';
import { chargeForFile, chargeStranger, rateLimited } from './charging.ts';
import type { Incoming } from './exchange.ts';
import { type Admission, type Services, tooManyConnections } from './gate.ts';

/** Null if it may go on; it counts as a read of its address, whoever asks. */
export function admitStranger(
  services: Services,
  request: Incoming,
  admission: Admission,
): ApiError | null {
  if (!services.connections.admitStranger(request.raw.socket, admission.address))
    return tooManyConnections('read');
  admission.rate = chargeStranger(services, admission, 'read');
  return admission.rate.isAllowed ? null : rateLimited(admission.rate);
}

/** Files of the pages have a wider share of their own, so that opening a page leaves its reader all of the reads. */
export function admitFile(
  services: Services,
  request: Incoming,
  admission: Admission,
): ApiError | null {
  if (!services.connections.admitStranger(request.raw.socket, admission.address))
    return tooManyConnections('read');
  admission.rate = chargeForFile(services, admission);
  return admission.rate.isAllowed ? null : rateLimited(admission.rate);
}
