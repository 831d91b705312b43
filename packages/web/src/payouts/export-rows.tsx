import { Anchor, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { trpc } from '../api/client.ts';
import { AffiliateLink, nameOf } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { CellNote, RecordLink } from '../components/cells.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { useFocusReturn } from '../components/focus-return.ts';
import { Loaded } from '../components/loaded.tsx';
import { Money } from '../components/money.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useMay } from '../session/session.tsx';
import { t as components } from '../texts/components.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/payouts.ts';
import { subjectOf } from './export-actions.tsx';
import type { PayoutExport } from './formats.ts';
import { type Attempt, endOf } from './payments.ts';

/** Number of rows that the dialog lists. */
const LISTED = 100;

const COLUMNS: Column<Attempt>[] = [
  { header: t.affiliate, cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} /> },
  {
    header: t.amount,
    numeric: true,
    cell: ({ payout_id, amount_cents, currency }) => (
      <RecordLink to={`/payouts/${payout_id}`}>
        <Money cents={amount_cents} currency={currency} />
      </RecordLink>
    ),
  },
  {
    header: t.state,
    cell: (attempt) => (
      <>
        <StateBadge state={attempt.state} />
        {endOf(attempt) !== null && <CellNote>{endOf(attempt)}</CellNote>}
      </>
    ),
  },
];

/** A button that takes a payout out of an export that is not paid. */
function TakeOut({ record, attempt }: { record: PayoutExport; attempt: Attempt }) {
  const takeOut = useMutation(trpc.payoutExports.takeOut.mutationOptions());
  return (
    <ConfirmedButton
      action={t.takeOut}
      subject={[attempt.affiliate && nameOf(attempt.affiliate), formatMoney(attempt.amount_cents, attempt.currency)]
        .filter(Boolean)
        .join(', ')}
      consequence={t.takeOutConsequence}
      mutation={takeOut}
      run={() => takeOut.mutateAsync({ id: record.id, payout_ids: [attempt.payout_id] })}
    />
  );
}

/** A button that shows who is in an export, and how it is undone. */
export function ExportRows({ record }: { record: PayoutExport }) {
  const title = t.rowsOf({ record: subjectOf(record) });
  return (
    <DialogButton size="compact-sm" label={title} action={t.rows}>
      {(close) => <RowsDialog record={record} title={title} onClose={close} />}
    </DialogButton>
  );
}

function RowsDialog({ record, title, onClose }: { record: PayoutExport; title: string; onClose: () => void }) {
  useFocusReturn();
  const may = useMay();
  const mayTakeOut = record.state === 'processing' && record.payouts_count > 1 && may('payout_exports');
  const takeOut: Column<Attempt> = {
    header: t.actions,
    cell: (attempt) => attempt.state === 'prepared' && <TakeOut record={record} attempt={attempt} />,
  };
  const rows = useQuery(
    trpc.payoutAttempts.list.queryOptions({
      batch_id: record.id,
      sort: 'created_at',
      limit: LISTED,
      expand: ['affiliate'],
    }),
  );
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeButtonProps={{ 'aria-label': components.close }}>
      <Stack>
        <Text size="sm">{record.state === 'processing' ? t.undoOpenExport : t.undoPaidExport}</Text>
        <Loaded query={rows}>
          {({ data, pagination }) => (
            <>
              <RecordTable
                caption={title}
                columns={mayTakeOut ? [...COLUMNS, takeOut] : COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
              />
              {pagination.next_cursor !== null && (
                <Text size="sm">{t.firstRowsOnly({ count: LISTED.toLocaleString(LOCALE) })}</Text>
              )}
            </>
          )}
        </Loaded>
        {record.state === 'paid' && (
          <Anchor component={Link} to="/payouts?state=paid" size="sm">
            {t.showPaidPayouts}
          </Anchor>
        )}
      </Stack>
    </Modal>
  );
}
