// The suites by name: a new one is a file in suites/ and a line here.
import type { Suite } from './suite.ts';

const LOADERS: Readonly<Record<string, () => Promise<Suite>>> = {
  engine: async () => (await import('./suites/engine.ts')).engineSuite,
  http: async () => (await import('./suites/http.ts')).httpSuite,
  memory: async () => (await import('./suites/memory.ts')).memorySuite,
  restart: async () => (await import('./suites/restart.ts')).restartSuite,
  web: async () => (await import('./suites/web.ts')).webSuite,
  worst: async () => (await import('./suites/worst.ts')).worstSuite,
  ws: async () => (await import('./suites/ws.ts')).wsSuite,
};

export const SUITE_NAMES: readonly string[] = Object.keys(LOADERS);

export async function loadSuite(name: string): Promise<Suite> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (load === undefined) throw new Error(`unknown suite: ${name}`);
  return await load();
}
