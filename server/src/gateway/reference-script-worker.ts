// The thread that has Scalar's plugin give out its script.
import { parentPort } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const pages = fastify();
await pages.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
const { rawPayload, statusCode } = await pages.inject('/js/scalar.js');
if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode}`);
const bytes = new Uint8Array(rawPayload);
parentPort?.postMessage(bytes, [bytes.buffer]);
