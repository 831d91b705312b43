import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../texts/archive.ts';
import { notify, notifyFailure } from './notices.tsx';

/** A button that restores an archived record. Shows the error if the record cannot be restored. */
export function RestoreButton({ name, restore }: { name: string; restore: () => Promise<unknown> }) {
  const { mutate, isPending } = useMutation({
    mutationFn: restore,
    onSuccess: () => notify(t.restored({ name })),
    onError: notifyFailure,
  });
  return (
    <Button size="compact-sm" variant="default" aria-label={t.restoreOf({ name })} loading={isPending} onClick={() => mutate()}>
      {t.restore}
    </Button>
  );
}
