import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../texts/archive.ts';
import { notify, notifyFailure } from './notices.tsx';

interface RestoreButtonProps extends Pick<ButtonProps, 'size'> {
  name: string;
  restore: () => Promise<unknown>;
}

/** A button that restores an archived record. Shows the error if the record cannot be restored. */
export function RestoreButton({ name, restore, size = 'compact-sm' }: RestoreButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: restore,
    onSuccess: () => notify(t.restored({ name })),
    onError: notifyFailure,
  });
  return (
    <Button size={size} variant="default" aria-label={t.restoreOf({ name })} loading={isPending} onClick={() => mutate()}>
      {t.restore}
    </Button>
  );
}
