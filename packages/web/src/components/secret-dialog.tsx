import { Alert, Button, Code, CopyButton, Group, Modal, Stack } from '@mantine/core';
import { useFocusReturn } from './focus-return.ts';

interface SecretDialogProps {
  title: string;
  /** What the secret is, e.g. "API key". */
  label: string;
  secret: string;
  hint: string;
  /** Must drop the secret: nothing else shows it again. */
  onClose: () => void;
}

/** Shows a secret for the only time. It closes by its button alone, not by a stray click. */
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
        <Alert color="yellow" title="Copy it now: it is not shown again">
          {hint}
        </Alert>
        <Code block aria-label={label} data-testid="secret">
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} aria-live="polite">
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose} data-autofocus>
            I have kept it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
