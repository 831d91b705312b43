import { SecretDialog } from '../components/secret-dialog.tsx';
import { t } from '../texts/webhooks.ts';

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
