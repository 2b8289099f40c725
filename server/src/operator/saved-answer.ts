// Acts on platform records have no journal of commands to remember them: their answers are saved beside.

import { ApiError, type Reply, type RequestContext } from '../handling/handler.ts';
import { answerOnce, savedAs } from '../wire/answer-once.ts';
import type { OperatorParts } from './parts.ts';

/** Answers a repeated key with the first answer; everything that the work writes must bear being written twice. */
export function actOnce<Data extends object>(
  { platform, clock }: Pick<OperatorParts, 'platform' | 'clock'>,
  request: RequestContext,
  work: () => Promise<Reply<Data> | ApiError>,
): Promise<Reply<Data> | ApiError> {
  return answerOnce({ store: platform, clock }, request, async () => {
    const answer = await work();
    if (answer instanceof ApiError) return answer;
    const saved = savedAs(request, clock.wallMs(), answer.data);
    if (saved !== undefined) await platform.saveAnswer(saved);
    return answer;
  });
}
