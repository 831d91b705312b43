import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { Failure } from '../components/failure.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t } from '../texts/assigning.ts';
import { type Sale, saleName } from './sale-columns.tsx';

/** A button that has a sale decided again that was refused for its affiliate. */
export function ReconsiderButton({ sale }: { sale: Sale }) {
  return (
    <DialogButton label={t.reconsiderOf({ sale: saleName(sale) })} action={t.reconsider}>
      {(close) => <ReconsiderDialog sale={sale} onClose={close} />}
    </DialogButton>
  );
}

/** Shows what the sale would earn by the current states and terms, and decides. */
function ReconsiderDialog({ sale: { id, charge_amount_cents, currency }, onClose }: { sale: Sale; onClose: () => void }) {
  const preview = useQuery({
    queryKey: ['reconsideration', id],
    queryFn: () => client.sales.reconsider.mutate({ id, dry_run: true }),
  });
  const reconsider = useMutation(
    trpc.sales.reconsider.mutationOptions({
      onSuccess: ({ commission }) => {
        if (commission) notify(t.reconsidered({ amount: formatMoney(commission.amount_cents, commission.currency) }));
        onClose();
      },
    }),
  );
  const commission = preview.data?.commission;
  return (
    <FormDialog
      title={t.reconsiderSale({ amount: formatMoney(charge_amount_cents, currency) })}
      submit={t.reconsider}
      disabled={!commission}
      progress={reconsider}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (commission) reconsider.mutate({ id });
      }}
    >
      <Text>{t.reconsiderHint}</Text>
      {preview.isError && <Failure error={preview.error} />}
      {preview.data && (
        <Text role="status">
          {commission
            ? t.earns({ amount: formatMoney(commission.amount_cents, commission.currency) })
            : `${t.stillNothing} ${preview.data.reason === null ? '' : t[preview.data.reason]}`}
        </Text>
      )}
    </FormDialog>
  );
}
