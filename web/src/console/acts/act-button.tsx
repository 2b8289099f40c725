// A button that opens the form of an act; whoever may not do it is told so at the button.
import { operatorOperations } from '@sibyl/contract/console';
import type { ComponentProps } from 'react';
import { Button, type ButtonKind } from '../../components/button.tsx';
import type { OperationId } from '../plane.ts';
import { roleRefusal, useIdentity } from '../session/use-session.ts';
import { openAct } from './act-dialog.tsx';
import type { ActForm } from './act-form.tsx';

interface Props
  extends Pick<
    ComponentProps<typeof ActForm>,
    'preset' | 'values' | 'options' | 'shapes' | 'changesOnly' | 'about'
  > {
  readonly act: OperationId;
  readonly label?: string;
  readonly kind?: ButtonKind;
}

export function ActButton({ act, label, kind = 'plain', ...form }: Props) {
  const { roles } = useIdentity();
  const operation = operatorOperations[act];
  const refusal = roleRefusal(roles, operation.role);
  return (
    <Button
      kind={kind}
      size="small"
      title={refusal ?? undefined}
      // Beside a dozen buttons the reason would be said a dozen times: it stands in the title of each.
      refusal={refusal === null ? null : ''}
      onClick={() => openAct({ operation, isDangerous: kind === 'danger', ...form })}
    >
      {label ?? operation.summary}
    </Button>
  );
}
