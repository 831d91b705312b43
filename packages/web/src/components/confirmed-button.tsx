import { Button, type ButtonProps, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmedButtonProps extends ButtonProps {
  /** Label of the button and of the dialog's submit button. */
  action: string;
  /** The affected record, for screen readers. */
  subject: string;
  /** Says what the action does, and whether it can be undone. */
  consequence: ReactNode;
  /** Further content of the dialog, below the consequence. */
  details?: ReactNode;
  mutation: { isPending: boolean; error: unknown; reset: () => void; mutateAsync: (input: never) => Promise<unknown> };
  run: () => Promise<unknown>;
  dangerous?: boolean;
}

/** A button whose action must be confirmed in a dialog. */
export function ConfirmedButton({
  action,
  subject,
  consequence,
  details,
  mutation,
  run,
  dangerous,
  ...button
}: ConfirmedButtonProps) {
  const [requested, ask] = useDisclosure(false, { onClose: mutation.reset });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        {...button}
        {...(dangerous ? { c: 'var(--mantine-color-error)' } : {})}
        aria-label={`${action}: ${subject}`}
        onClick={ask.open}
      >
        {action}
      </Button>
      {requested && (
        <FormDialog
          title={`${action}: ${subject}`}
          submit={action}
          size="md"
          {...(dangerous ? { dangerous } : {})}
          progress={mutation}
          onClose={ask.close}
          onSubmit={(event) => {
            event.preventDefault();
            // The error is ignored here because the dialog shows it.
            run().then(ask.close, () => undefined);
          }}
        >
          <Text>{consequence}</Text>
          {details}
        </FormDialog>
      )}
    </>
  );
}
