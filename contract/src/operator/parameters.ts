// Parameters of a lane: read them, and change a part of them.

import { Type } from 'typebox';
import { noInput, operation } from '../define.ts';
import { queryOf } from '../paging.ts';
import { oneOf, openObject } from '../primitives.ts';
import { exampleParameters, LaneParameters, parameterParts } from '../resources/lane-parameters.ts';
import {
  act,
  closed,
  exampleAct,
  lane,
  looking,
  operatorErrors,
  operatorReadErrors,
  plane,
} from './plane.ts';

export const setParameters = operation({
  ...plane,
  role: 'admin',
  id: 'setParameters',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/parameters',
  summary: 'Change parameters',
  description:
    'Changes what is named of one part of a lane’s parameters, within their bounds, from the next command on. Each change is a version.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      {
        ...act,
        part: oneOf(parameterParts),
        values: openObject('Names and values as getParameters shows them; amounts as Money.'),
      },
      { title: 'ParametersInput', ...closed },
    ),
  },
  data: LaneParameters,
  errors: [...operatorErrors],
  example: {
    body: { ...exampleAct, part: 'risk', values: { open_orders_per_market: 100 } },
    data: exampleParameters,
  },
});

export const getParameters = operation({
  ...looking,
  id: 'getParameters',
  path: '/admin/v1/parameters',
  summary: 'Parameters',
  description: 'What may be changed of a lane’s parameters, as it stands, and every version of it.',
  input: { ...noInput, query: queryOf({ lane }) },
  data: LaneParameters,
  errors: [...operatorReadErrors],
  example: { query: { lane: 'sandbox' }, data: exampleParameters },
});
