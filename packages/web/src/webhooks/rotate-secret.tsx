import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { t } from '../texts/webhooks.ts';
import type { Endpoint } from './endpoint-status.tsx';

/** Creates a new signing secret and shows it once. */
export function RotateSecret({ endpoint }: { endpoint: Endpoint }) {
  const rotate = useMutation(trpc.webhookEndpoints.rotateSecret.mutationOptions({ gcTime: 0 }));
  // Kept apart from the mutation, which the button resets when its dialog closes.
  const [rotated, setRotated] = useState<Outputs['webhookEndpoints']['rotateSecret'] | null>(null);
  return (
    <>
      <ConfirmedButton
        action={t.rotateSecret}
        subject={endpoint.name}
        size="sm"
        consequence={t.createsANewSigningSecret}
        mutation={rotate}
        run={async () => setRotated(await rotate.mutateAsync({ id: endpoint.id }))}
      />
      {rotated && <SigningSecret endpoint={rotated} onClose={() => setRotated(null)} />}
    </>
  );
}

export function SigningSecret({
  endpoint,
  onClose,
}: {
  endpoint: { name: string; signing_secret: string };
  onClose: () => void;
}) {
  return (
    <SecretDialog
      title={t.signingSecretOf({ name: endpoint.name })}
      label={t.signingSecret}
      secret={endpoint.signing_secret}
      hint={t.secretHint}
      onClose={onClose}
    />
  );
}
