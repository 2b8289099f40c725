// What a builder has told of itself, and how far its application is.
import type { Builder } from '@sibyl/contract';
import type { BuilderRecord } from '../ports/builders.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

export function profileView(builder: BuilderRecord): NonNullable<Builder['profile']> {
  const { name, website, about, agreementVersion, agreedAtMs } = builder;
  return {
    name,
    website,
    about,
    agreement_version: agreementVersion,
    agreed_at: isoTime(agreedAtMs),
    agreed_at_ms: agreedAtMs,
  };
}

export function applicationView({
  application,
}: BuilderRecord): NonNullable<Builder['application']> {
  const { track, status, note, appliedAtMs, decidedAtMs } = application;
  return {
    track,
    status,
    note,
    applied_at: isoTime(appliedAtMs),
    applied_at_ms: appliedAtMs,
    decided_at: isoTimeOrNull(decidedAtMs),
    decided_at_ms: decidedAtMs,
  };
}
