import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { t } from '../texts/api-keys.ts';

export function RevokeButton({ apiKey }: { apiKey: Outputs['apiKeys']['list']['data'][number] }) {
  const revoke = useMutation(trpc.apiKeys.revoke.mutationOptions());
  return (
    <ConfirmedButton
      action={t.revoke}
      subject={apiKey.name}
      consequence={t.revokeConsequence}
      dangerous
      mutation={revoke}
      run={() => revoke.mutateAsync({ id: apiKey.id })}
    />
  );
}
