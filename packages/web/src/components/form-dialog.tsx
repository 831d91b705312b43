import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { useFocusReturn } from './focus-return.ts';

interface FormDialogProps {
  title: string;
  submit: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
  /** Of what submitting does. */
  progress: { isPending: boolean; error: unknown };
  dangerous?: boolean;
  size?: string;
  children: ReactNode;
}

/** A form over the page. Shown as long as it is mounted, so that it always begins anew. */
export function FormDialog({ title, submit, onSubmit, onClose, progress, dangerous, size = 'lg', children }: FormDialogProps) {
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          {progress.error !== null && <Failure error={progress.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={progress.isPending} {...(dangerous ? { color: 'red.9' } : {})}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
