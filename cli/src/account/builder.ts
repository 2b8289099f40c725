// sibyl builder: how far you are as one who builds for others, what you agree to, and applying for more.

import { builderAgreement, type Track, tracks } from '@sibyl/contract';
import { Argument, type Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { Unusable } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { wordsOf } from '../words.ts';
import { ask } from './ask.ts';
import { given, holderOf, type ServerOptions, serve, withExamples, withServer } from './server.ts';

interface ApplyOptions extends ServerOptions {
  readonly name?: string;
  readonly about?: string;
  readonly website?: string;
  readonly agree?: string;
}

export function addBuilder(program: Command): void {
  const builder = program
    .command('builder')
    .description('you as a builder of apps: tier, application, limits');
  withExamples(
    withServer(builder.command('show', { isDefault: true })).description(
      'tier, application, what is left to graduation, and the limits of this credential',
    ),
    'sibyl builder',
    'sibyl builder --json | jq .is_approved',
  ).action((options: ServerOptions) =>
    serve(options, (terminal) => showBuilder(terminal, options), NO_USER),
  );
  withExamples(
    withServer(builder.command('agreement')).description('what a builder agrees to'),
    'sibyl builder agreement',
  ).action((options: ServerOptions) =>
    ask(options, async () => builderAgreement, {
      words: ({ version, paragraphs }) => [
        `Version ${version}`,
        ...paragraphs.map((text, at) => `${at + 1}. ${text}`),
      ],
    }),
  );
  addApply(builder);
}

const NO_USER =
  'a builder has an account of their own: register on the pages, then sibyl login EMAIL';

async function showBuilder(terminal: Terminal, options: ServerOptions): Promise<number> {
  const me = await holderOf(options).builders.me();
  terminal.result(me, wordsOf(me));
  if (me.profile === null) terminal.note('You have not applied yet: sibyl builder apply');
  return exitCodes.done;
}

function addApply(builder: Command): void {
  withExamples(
    withServer(builder.command('apply'))
      .description('apply for a track, which an operator reviews')
      .addArgument(new Argument('<track>', 'what you want to be').choices([...tracks]))
      .option('--name <text>', 'you or your company')
      .option('--about <text>', 'what you want to build, and for whom')
      .option('--website <url>', 'an https address')
      .option('--agree <version>', 'you have read the builder agreement of this version and agree'),
    'sibyl builder agreement',
    'sibyl builder apply trade_capped --name "Ada Example" --about "A dashboard for elections." --agree 2026-08',
  ).action((track: Track, options: ApplyOptions) =>
    ask(options, () => {
      const { name, about, website, agree } = options;
      if (name === undefined || about === undefined) {
        throw new Unusable('say who you are and what you want to build: --name TEXT --about TEXT');
      }
      const agreement = agree === undefined ? undefined : { version: agree, accepted: true };
      return holderOf(options).builders.apply({
        track,
        name,
        about,
        ...given({ website, agreement }),
      });
    }),
  );
}
