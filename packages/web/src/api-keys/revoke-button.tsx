import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';

export function RevokeButton({ apiKey }: { apiKey: Outputs['apiKeys']['list']['data'][number] }) {
  const revoke = useMutation(trpc.apiKeys.revoke.mutationOptions());
  return (
    <ConfirmedButton
      action="Revoke"
      subject={apiKey.name}
      consequence="Programs that use this key lose access immediately. This cannot be undone."
      dangerous
      mutation={revoke}
      run={() => revoke.mutateAsync({ id: apiKey.id })}
    />
  );
}
