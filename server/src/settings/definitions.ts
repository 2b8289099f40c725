// Every setting with its default, what it accepts and what it is for: the settings reference is made from it.

import { operatorRoles } from '@sibyl/contract';

export interface Setting {
  readonly name: string;
  readonly fallback: string;
  readonly accepts: string;
  readonly meaning: string;
}

export const definitions = {
  PORT: {
    fallback: '8080',
    accepts: '0 to 65535; 0 takes a free port',
    meaning: 'Port of the interface.',
  },
  HOST: {
    fallback: '127.0.0.1',
    accepts: 'an address',
    meaning: 'Address the interface listens on. The operator plane stays on 127.0.0.1.',
  },
  ADMIN_PORT: {
    fallback: '8081',
    accepts: '0 to 65535; 0 takes a free port',
    meaning: 'Port of the operator plane.',
  },
  ADMIN_HOSTS: {
    fallback: '',
    accepts: 'names or addresses without a port, separated by commas',
    meaning:
      'By which names the operator plane is asked through a proxy, beside 127.0.0.1, localhost and [::1]. Nothing else is answered there.',
  },
  PUBLIC_URL: {
    fallback: '',
    accepts: 'an http or https address without a path',
    meaning:
      'Address under which clients reach the interface, for the documents that name it. This machine, unless told.',
  },
  DATA_DIR: {
    fallback: 'data',
    accepts: 'a path',
    meaning: 'Folder of journals, snapshots, read models, users and keys. Back it up as a whole.',
  },
  DATABASE_URL: {
    fallback: '',
    accepts: 'postgres://user:password@host:port/name, with /, @, # and % of the password escaped',
    meaning:
      'PostgreSQL that keeps users, keys and webhooks. Without it they are in DATA_DIR; journals always are.',
  },
  LANES: {
    fallback: 'both',
    accepts: 'both, live, sandbox',
    meaning: 'Which lanes this process runs. With one lane, every address leads to it.',
  },
  RATE_MULTIPLIER: {
    fallback: '1',
    accepts: '0 to 1000',
    meaning: 'Scales every rate limit; 0 switches them off, for load tests.',
  },
  DIRECT_ORDERS: {
    fallback: 'on',
    accepts: 'on, off',
    meaning:
      "Whether plain orders are answered straight on the socket. Off leaves them to Node's HTTP: the same answers at twice the cost.",
  },
  BOTS: {
    fallback: 'on',
    accepts: 'on, off',
    meaning:
      'Market maker and traders in the sandbox. Fast rounds run, and its markets begin anew, in any case.',
  },
  DEMO_PER_HOUR: {
    fallback: '1000',
    accepts: '0 to 100000; 0 opens none',
    meaning:
      'How many demo accounts all addresses together may open an hour. A tenth is kept for networks without one in the last 24 hours.',
  },
  SANDBOX_KEYS_PER_HOUR: {
    fallback: '1000',
    accepts: '0 to 100000; 0 mints none',
    meaning:
      'How many sandbox keys without a user all addresses together may mint an hour. A tenth is kept, as for DEMO_PER_HOUR.',
  },
  SEED_LIVE: {
    fallback: 'templates',
    accepts: 'templates, demo',
    meaning:
      'What a new live lane begins with: templates only, or also a few markets of the house to show around.',
  },
  OPERATOR_TOKEN: {
    fallback: '',
    accepts: '24 to 256 characters',
    meaning:
      'Bearer of the operator plane for programs, which have no account there. People sign in as operators.',
  },
  OPERATOR_TOKEN_ROLE: {
    fallback: 'admin',
    accepts: operatorRoles.join(', '),
    meaning:
      'What OPERATOR_TOKEN may do. It never agrees to what a second operator has to agree to.',
  },
  OPERATOR_MFA: {
    fallback: 'optional',
    accepts: 'optional, required',
    meaning:
      'Whether every operator has to have a second factor. Where it is required, one without may sign in and enrol, and nothing else.',
  },
  LOG_LEVEL: {
    fallback: 'warn',
    accepts: 'debug, info, warn, error, silent',
    meaning: 'How much is logged, as JSON lines on standard output.',
  },
  REQUEST_LOG: {
    fallback: 'on',
    accepts: 'on, off',
    meaning: 'Whether developers find their own requests in a log. It is not part of backups.',
  },
  REQUEST_LOG_MB: {
    fallback: '1024',
    accepts: '16 to 100000',
    meaning: 'How many megabytes the log of requests may take; the oldest requests go first.',
  },
  TRUSTED_PROXIES: {
    fallback: '',
    accepts: 'addresses or ranges, separated by commas',
    meaning: 'Peers whose X-Forwarded-For is believed. Nobody, unless told.',
  },
  ALLOWED_ORIGINS: {
    fallback: '',
    accepts: 'origins, separated by commas',
    meaning: 'Pages that may call more than public reads from a browser.',
  },
  SIGNING_TIERS: {
    fallback: '',
    accepts: 'tiers such as partner, institutional, separated by commas',
    meaning:
      'Tiers whose keys may sign their requests (HMAC). No tier, unless told; an operator may switch it on for one key.',
  },
  WEBHOOK_ALLOW: {
    fallback: '',
    accepts: 'host:port or address ranges, separated by commas',
    meaning:
      'Webhook receivers that may be local or speak plain http. None by default; `sibyl webhooks listen` asks for its own port.',
  },
  CUSTODY_URL: {
    fallback: '',
    accepts: 'an origin, as https://custody.example',
    meaning:
      'The service that keeps the money of the live lane and pays withdrawals. Without it the server keeps a till of its own.',
  },
  CUSTODY_NAME: {
    fallback: 'custody',
    accepts: '1 to 32 of a to z, 0 to 9, _ and -; not correction, local or operator',
    meaning:
      'By which name withdrawals know that service; it never changes for what was asked for.',
  },
  CUSTODY_SECRET: {
    fallback: '',
    accepts: '24 to 256 characters',
    meaning: 'Signs what is asked of that service; needed with CUSTODY_URL.',
  },
  CUSTODY_WAS: {
    fallback: '',
    accepts: 'names of custodies, separated by commas; local for the till',
    meaning:
      'Which custodies kept the money of the live lane before and do not any more. A start with another custody than deposits and withdrawals name is refused unless it is named here.',
  },
  DESTINATION_DELAY_HOURS: {
    fallback: '24',
    accepts: '0 to 720',
    meaning: 'How long users wait before a destination that they added can be withdrawn to.',
  },
  WITHDRAWAL_APPROVAL_ABOVE: {
    fallback: '1000',
    accepts: 'an amount of USDT, or none',
    meaning:
      'A withdrawal that brings those of its owner above it within 24 hours waits until two operators agree.',
  },
  DEPOSIT_APPROVAL_ABOVE: {
    fallback: '1000',
    accepts: 'an amount of USDT, or none',
    meaning:
      'What one operator alone may credit by hand within 24 hours in live, to all accounts together; what goes above it waits until a second operator agrees. A reset link by an operator for an account worth more needs a second operator too.',
  },
  CHALLENGE_MIN_MINUTES: {
    fallback: '60',
    accepts: '0 to 43200',
    meaning:
      'How long everybody can at least object to an answer in live: a template or a parameter that leaves less is refused, but for rounds that a source answers by itself.',
  },
  WITHDRAWAL_MIN: {
    fallback: '1',
    accepts: 'an amount of USDT, or none',
    meaning: 'The least that can be withdrawn at once, unless it is all that is free.',
  },
  RECONCILE_EVERY_HOURS: {
    fallback: '24',
    accepts: '0 to 720',
    meaning: 'How often each lane is reconciled by itself; 0 never.',
  },
  DEPOSIT_INSTRUCTIONS: {
    fallback: 'Deposits are credited by the operator: give {account_id} as the reference.',
    accepts: 'text, with {account_id} where that is to stand',
    meaning: 'What users of the live lane are told about how money gets in.',
  },
  SMTP_URL: {
    fallback: '',
    accepts:
      'smtp://user:password@host:port or smtps://, with /, @, # and % of the password escaped',
    meaning:
      'The server that mail is handed to. Without it no mail is sent, and operators hand out links for new passwords.',
  },
  MAIL_FROM: {
    fallback: '',
    accepts: 'an address, as Sibyl <no-reply@sibyl.example>',
    meaning: 'Whom mail comes from; needed with SMTP_URL.',
  },
  OPERATOR_MAIL: {
    fallback: '',
    accepts: 'addresses of mail, separated by commas; only with SMTP_URL',
    meaning:
      'Who is told of every act that waits for a second operator, or for the day after which one operator alone may confirm it, of withdrawals that wait to be paid by hand, and of alarms when they begin and end.',
  },
  OPERATOR_CONTACT: {
    fallback: '',
    accepts: 'an address of mail or an https address',
    meaning:
      'How users reach the operator. Pages show it where users need help, such as a link for a new password where no mail is sent.',
  },
} as const satisfies Readonly<Record<string, Omit<Setting, 'name'>>>;
