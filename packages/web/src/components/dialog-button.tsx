import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface DialogButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  action: string;
  /** Accessible name, if it says more than the action. */
  label?: string;
  /** Returns the dialog, which `close` closes. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ action, label, children, variant = 'default', size }: DialogButtonProps) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant={variant} size={size} aria-label={label} onClick={dialog.open}>
        {action}
      </Button>
      {opened && children(dialog.close)}
    </>
  );
}
