import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { t } from '../texts/connectors.ts';

export function RevokeButton({ connector }: { connector: Outputs['connectors']['list']['data'][number] }) {
  const revoke = useMutation(trpc.connectors.revoke.mutationOptions());
  return (
    <ConfirmedButton
      action={t.revoke}
      subject={connector.name}
      consequence={t.revokeConsequence}
      dangerous
      mutation={revoke}
      run={() => revoke.mutateAsync({ id: connector.id })}
    />
  );
}
