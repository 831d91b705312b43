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
      hint="Your receiver verifies the hook-signature header with it. Lost, it can only be replaced by a new one."
      onClose={onClose}
    />
  );
}
