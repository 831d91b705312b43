import { Text } from '@mantine/core';
import { t } from '../texts/components.ts';
import { FormDialog } from './form-dialog.tsx';

const NOTHING_SENT = { isPending: false, error: null };

/** Asks whether to leave a page with entries that are not saved. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <FormDialog
      title={t.leaveWithoutSaving}
      submit={t.discardEntries}
      size="md"
      dangerous
      progress={NOTHING_SENT}
      onClose={onStay}
      onSubmit={(event) => {
        event.preventDefault();
        onLeave();
      }}
    >
      <Text>{t.entriesAreLost}</Text>
    </FormDialog>
  );
}
