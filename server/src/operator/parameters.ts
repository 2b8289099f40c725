// Parameters of a lane: what may be changed of them, as it stands and as it was.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  changeableParameters,
  isAmountParameter,
  type ParameterPart,
  type ParameterValue,
  type State,
} from '@sibyl/engine';
import { parseMoney } from '@sibyl/money';
import { ApiError, type Reply, type RequestContext } from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { answerFirst } from '../wire/first-answer.ts';
import { isoTime } from '../wire/times.ts';
import { parameterFault } from './challenge-window.ts';
import { act, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';

type Input = InputOf<OperatorOperations['setParameters']>['body'];
type LaneParameters = OutputOf<OperatorOperations['getParameters']>;

export function parameterActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'setParameters' | 'getParameters'> {
  return {
    setParameters: (request, { body }) => change(parts, request, body),
    async getParameters(_request, { query }) {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      return { data: await watched.lane.read(parametersView) };
    },
  };
}

async function change(
  parts: OperatorParts,
  request: RequestContext,
  input: Input,
): Promise<Reply<LaneParameters> | ApiError> {
  const watched = laneOf(parts, input.lane);
  if (watched instanceof ApiError) return watched;
  const { lane } = watched;
  const { part } = input;
  const values = Object.fromEntries(
    Object.entries(input.values).map(([name, value]) => {
      const key = camelCase(name);
      return [key, isAmountParameter(part, key) ? amountOf(value) : value] as const;
    }),
  ) as Record<string, ParameterValue>;
  const tooShort = parameterFault(input.lane, part, values, parts.challengeMinSec);
  if (tooShort !== null) return tooShort;
  const outcome = await act(lane, request, input, { type: 'set_parameters', part, values });
  if (outcome instanceof ApiError) return inWireNames(outcome);
  return answerFirst(parts, lane, request, outcome, async () => ({
    data: await lane.read(parametersView),
    replayed: outcome.replayed,
  }));
}

/** What is no amount stays as it is, for the engine to refuse by name. */
function amountOf(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseMoney(value, 'USDT') : null;
  return parsed?.ok === true ? parsed.value : value;
}

function parametersView({ lane, parameters, parameterChanges }: State): LaneParameters {
  const values = changeableParameters(parameters);
  return {
    lane,
    version: parameterChanges.length + 1,
    values: {
      fee: wireValues('fee', values.fee),
      quality: wireValues('quality', values.quality),
      band: wireValues('band', values.band),
      risk: wireValues('risk', values.risk),
      resolution: wireValues('resolution', values.resolution),
    },
    versions: parameterChanges.toReversed().map((changed) => ({
      version: changed.version,
      part: changed.part,
      values: wireValues(changed.part, changed.values),
      actor: changed.actor,
      reason: changed.reason,
      changed_at: isoTime(changed.atMs),
      changed_at_ms: changed.atMs,
    })),
  };
}

function wireValues(
  part: ParameterPart,
  values: Readonly<Record<string, ParameterValue>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isAmount = isAmountParameter(part, name) && typeof value === 'bigint';
      return [snakeCase(name), isAmount ? amountText(value) : value];
    }),
  );
}

/** The engine names its own fields in what it expects. */
function inWireNames(error: ApiError): ApiError {
  const { details } = error;
  if (details === undefined) return error;
  const words = Object.entries(details).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, snakeCase) : value,
  ]);
  return new ApiError(error.code, {
    details: Object.fromEntries(words),
    replayed: error.replayed,
  });
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
