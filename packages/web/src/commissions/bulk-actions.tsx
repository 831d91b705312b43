import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { client } from '../api/client.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { BulkButton, useBulk } from '../lists/bulk.tsx';
import type { Selection } from '../lists/selection.tsx';
import { t } from '../texts/commissions.ts';
import { t as counts } from '../texts/counts.ts';
import type { Commission } from './columns.tsx';
import { VoidReason } from './review-dialogs.tsx';

/** Buttons to approve, flag or void all selected commissions. */
export function BulkActions({ selection }: { selection: Selection<Commission> }) {
  const [asking, dialog] = useDisclosure();
  return (
    <>
      <BulkButton
        action={t.approve}
        selection={selection}
        change={({ id }) => client.commissions.review.mutate({ id, review_action: 'approve' })}
      />
      <BulkButton
        action={t.flag}
        selection={selection}
        change={({ id }) => client.commissions.review.mutate({ id, review_action: 'suspicious' })}
      />
      <Button size="compact-sm" variant="default" c="var(--mantine-color-error)" onClick={dialog.open}>
        {t.voidAction}
      </Button>
      {asking && <VoidAll selection={selection} onClose={dialog.close} />}
    </>
  );
}

function VoidAll({ selection, onClose }: { selection: Selection<Commission>; onClose: () => void }) {
  const form = useForm({ initialValues: { void_reason: '' } });
  const reason = form.values.void_reason.trim();
  const bulk = useBulk(selection, ({ id }) =>
    client.commissions.void.mutate({ id, ...(reason === '' ? {} : { void_reason: reason }) }),
  );
  return (
    <FormDialog
      title={t.voidAll({ commissions: counts.commissions(selection.chosen.length) })}
      submit={t.void}
      size="md"
      dangerous
      progress={bulk}
      onClose={onClose}
      onSubmit={form.onSubmit(() => bulk.mutate(undefined, { onSuccess: onClose }))}
    >
      <VoidReason {...form.getInputProps('void_reason')} />
    </FormDialog>
  );
}
