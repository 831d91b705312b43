import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { t } from '../texts/webhooks.ts';
import type { Endpoint } from './endpoint-status.tsx';
import { SigningSecret } from './signing-secret.tsx';

/** Creates a new signing secret and shows it once. */
export function RotateSecret({ endpoint }: { endpoint: Endpoint }) {
  const rotate = useMutation(trpc.webhookEndpoints.rotateSecret.mutationOptions({ gcTime: 0 }));
  if (rotate.data) return <SigningSecret endpoint={rotate.data} onClose={rotate.reset} />;
  return (
    <ConfirmedButton
      action={t.rotateSecret}
      subject={endpoint.name}
      size="sm"
      consequence={t.createsANewSigningSecret}
      mutation={rotate}
      run={() => rotate.mutateAsync({ id: endpoint.id })}
    />
  );
}
