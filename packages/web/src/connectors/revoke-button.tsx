import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';

export function RevokeButton({ connector }: { connector: Outputs['connectors']['list']['data'][number] }) {
  const revoke = useMutation(trpc.connectors.revoke.mutationOptions());
  return (
    <ConfirmedButton
      action="Revoke"
      subject={connector.name}
      consequence="The assistant loses access immediately. This cannot be undone."
      dangerous
      mutation={revoke}
      run={() => revoke.mutateAsync({ id: connector.id })}
    />
  );
}
