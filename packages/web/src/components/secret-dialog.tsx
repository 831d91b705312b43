import { Alert, Button, Code, Group, Modal, Stack } from '@mantine/core';
import { t } from '../texts/components.ts';
import { CopyButton } from './copy-button.tsx';
import { useFocusReturn } from './focus-return.ts';

interface SecretDialogProps {
  title: string;
  /** Name of the secret, e.g. "API key". */
  label: string;
  secret: string;
  hint: string;
  /** Closes the dialog. Must also discard the secret. */
  onClose: () => void;
}

/** Shows a secret that cannot be shown again. Only the dialog's own button closes it. */
export function SecretDialog({ title, label, secret, hint, onClose }: SecretDialogProps) {
  useFocusReturn();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" title={t.copyNow}>
          {hint}
        </Alert>
        <Code block aria-label={label} data-testid="secret">
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret} />
          <Button onClick={onClose} data-autofocus>
            {t.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
