import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEventHandler, type ReactNode, useState } from 'react';
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

/**
 * A form in a dialog, which is open while mounted. Mount a new one for each use, so that the form starts empty. Once somebody has typed, Escape and a click
 * beside the dialog warn at first, and only close it the second time.
 */
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
  const [entries, setEntries] = useState<'none' | 'typed' | 'sent'>('none');
  const [isWarned, setWarned] = useState(false);
  const isUnsaved = entries === 'typed' || (entries === 'sent' && progress.error !== null);
  const leave = () => (isUnsaved && !isWarned ? setWarned(true) : onClose());
  return (
    <Modal opened onClose={leave} title={title} size={size} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          if (entries === 'typed') setEntries('sent');
          onSubmit(event);
        }}
        onInput={() => setEntries('typed')}
        aria-label={title}
      >
        <Stack>
          {children}
          {progress.error !== null && <Failure error={progress.error} />}
          {isWarned && (
            <Text role="alert" size="sm">
              {t.notSavedYet}
            </Text>
          )}
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
