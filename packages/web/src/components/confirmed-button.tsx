import { Button, type ButtonProps, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmedButtonProps extends ButtonProps {
  /** What the button says, and the dialog's title and button after it. */
  action: string;
  /** The record that it concerns, for those who hear the button without its row. */
  subject: string;
  /** What will happen, and whether it can be undone. */
  consequence: ReactNode;
  mutation: { isPending: boolean; error: unknown; reset: () => void; mutateAsync: (input: never) => Promise<unknown> };
  run: () => Promise<unknown>;
  dangerous?: boolean;
}

/** A button for what should not happen by a slip of the hand. */
export function ConfirmedButton({ action, subject, consequence, mutation, run, dangerous, ...button }: ConfirmedButtonProps) {
  const [asked, ask] = useDisclosure(false, { onClose: mutation.reset });
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
      {asked && (
        <FormDialog
          title={`${action}: ${subject}`}
          submit={action}
          size="md"
          {...(dangerous ? { dangerous } : {})}
          progress={mutation}
          onClose={ask.close}
          onSubmit={(event) => {
            event.preventDefault();
            // A refusal is shown in the dialog.
            run().then(ask.close, () => undefined);
          }}
        >
          <Text>{consequence}</Text>
        </FormDialog>
      )}
    </>
  );
}
