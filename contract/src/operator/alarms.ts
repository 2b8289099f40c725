// Conditions that an operator must see to soon.

import { noInput, operation } from '../define.ts';
import { Alarms, exampleAlarms } from '../resources/alarm.ts';
import { looking, operatorReadErrors } from './plane.ts';

export const listAlarms = operation({
  ...looking,
  id: 'listAlarms',
  path: '/admin/v1/alarms',
  summary: 'Alarms in force',
  description:
    'Conditions that an operator must see to soon, oldest first. Each is also an error line of the log, the metric sibyl_alarm, and a letter to OPERATOR_MAIL when it begins and ends. An alarm ends once its condition has been clear for a minute.',
  input: noInput,
  data: Alarms,
  errors: [...operatorReadErrors],
  example: { data: exampleAlarms },
});
