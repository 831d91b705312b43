import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../texts/components.ts';
import { Failure } from './failure.tsx';
import { useFocusReturn } from './focus-return.ts';

interface FormDialogProps {
  title: string;
  submit: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
  /** State of the mutation that submitting the form runs. */
  progress: { isPending: boolean; error: unknown };
  dangerous?: boolean;
  /** Disables the submit button, because there is nothing to submit. */
  disabled?: boolean;
  size?: string;
  children: ReactNode;
}

/** A form in a dialog, which is open while mounted. Mount a new one for each use, so that the form starts empty. */
export function FormDialog({
  title,
  submit,
  onSubmit,
  onClose,
  progress,
  dangerous,
  disabled,
  size = 'lg',
  children,
}: FormDialogProps) {
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t.close }}>
      <form onSubmit={onSubmit} aria-label={title}>
        <Stack>
          {children}
          {progress.error !== null && <Failure error={progress.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={progress.isPending} disabled={disabled} {...(dangerous ? { color: 'red.9' } : {})}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
