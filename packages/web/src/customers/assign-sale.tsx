import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, trpc } from '../api/client.ts';
import { formatMoney } from '../components/amounts.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { Failure } from '../components/failure.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { notify } from '../components/notices.tsx';
import { t } from '../texts/assigning.ts';
import { type Sale, saleName } from './sale-columns.tsx';

const DELAY_MS = 200;

/** A button that assigns a sale without an affiliate. */
export function AssignButton({ sale, size = 'compact-sm' }: { sale: Sale; size?: 'compact-sm' | 'sm' }) {
  return (
    <DialogButton size={size} label={t.assignOf({ sale: saleName(sale) })} action={t.assign}>
      {(close) => <AssignDialog sale={sale} onClose={close} />}
    </DialogButton>
  );
}

interface Choice {
  id: string;
  title: string;
  detail: string | null;
}

/** Lets the user choose an affiliate or a referral, shows the commission that the sale would earn, and assigns the sale. */
function AssignDialog({ sale: { id, charge_amount_cents, currency }, onClose }: { sale: Sale; onClose: () => void }) {
  const [chosen, choose] = useState<Choice | null>(null);
  const assignment = chosen && {
    id,
    ...(chosen.id.startsWith('ref_') ? { referral_id: chosen.id } : { affiliate_id: chosen.id }),
  };
  const preview = useQuery({
    queryKey: ['assignment', assignment],
    queryFn: assignment ? () => client.sales.assign.mutate({ ...assignment, dry_run: true }) : skipToken,
  });
  const assign = useMutation(
    trpc.sales.assign.mutationOptions({
      onSuccess: ({ commission }) => {
        notify(t.assigned({ name: chosen?.title ?? '', amount: formatMoney(commission.amount_cents, commission.currency) }));
        onClose();
      },
    }),
  );
  const following = preview.data?.also_totals.reduce((sum, { commissions_count }) => sum + commissions_count, 0) ?? 0;
  return (
    <FormDialog
      title={t.assignSale({ amount: formatMoney(charge_amount_cents, currency) })}
      submit={t.assign}
      disabled={preview.data === undefined}
      progress={assign}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (assignment && preview.data) assign.mutate(assignment);
      }}
    >
      <ChooseAffiliate chosen={chosen} choose={choose} />
      {preview.isError && <Failure error={preview.error} />}
      {preview.data && (
        <Text role="status">
          {t.earns({ amount: formatMoney(preview.data.commission.amount_cents, preview.data.commission.currency) })}{' '}
          {following > 0 && `${t.followNow(following)} `}
          {t.follow}
        </Text>
      )}
    </FormDialog>
  );
}

function ChooseAffiliate({ chosen, choose }: { chosen: Choice | null; choose: (choice: Choice | null) => void }) {
  const [text, setText] = useState('');
  const [requested] = useDebouncedValue(text.trim(), DELAY_MS);
  const search = useQuery(
    trpc.search.find.queryOptions({ q: requested }, { enabled: requested !== '', placeholderData: keepPreviousData }),
  );
  const found = requested === '' ? [] : (search.data?.data ?? []);
  const choices = new Map(
    found
      .filter(({ record_id }) => /^(aff|ref)_/.test(record_id))
      .map(({ record_id, title, detail }) => [record_id, { id: record_id, title, detail }]),
  );
  return (
    <>
      <TextInput
        label={t.findAffiliate}
        description={t.findHint}
        maxLength={254}
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choose(null);
        }}
      />
      {search.isError && <Failure error={search.error} />}
      {choices.size > 0 ? (
        <Radio.Group label={t.found} value={chosen?.id ?? ''} onChange={(id) => choose(choices.get(id) ?? null)}>
          <Stack gap="xs" mt={4}>
            {[...choices.values()].map(({ id, title, detail }) => (
              <Radio key={id} value={id} label={detail === null || detail === title ? title : `${title}, ${detail}`} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        requested !== '' && search.isSuccess && <Text size="sm">{t.noneFound}</Text>
      )}
    </>
  );
}
