import { SecretDialog } from '../components/secret-dialog.tsx';

export function SigningSecret({
  endpoint,
  onClose,
}: {
  endpoint: { name: string; signing_secret: string };
  onClose: () => void;
}) {
  return (
    <SecretDialog
      title={`Signing secret of “${endpoint.name}”`}
      label="Signing secret"
      secret={endpoint.signing_secret}
      hint="Use it to verify the hook-signature header. If you lose it, rotate the secret."
      onClose={onClose}
    />
  );
}
