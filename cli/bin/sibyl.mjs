#!/usr/bin/env node
// `npx sibyl`: goes on under the Node that the repository brings, whatever the host has.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runUnderNode } from '../../scripts/bootstrap.mjs';

const main = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../src/main.ts');

process.exit(await runUnderNode([main, ...process.argv.slice(2)], { cwd: process.cwd() }));
