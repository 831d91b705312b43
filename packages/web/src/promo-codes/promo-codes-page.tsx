import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { serviceErrorOf } from '../api/service-error.ts';
import { ActionLink } from '../components/action-link.tsx';
import { nameOf } from '../components/affiliate-link.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Failure } from '../components/failure.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Ago } from '../lists/ago.tsx';
import { RecordLinks } from '../records/record-links.tsx';
import { useMay } from '../session/session.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/promo-codes.ts';
import { AssignCode } from './assign-code.tsx';
import { PendingCodes } from './pending-codes.tsx';

type Code = Outputs['promoCodes']['list']['data'][number];

const COLUMNS: Column<Code>[] = [
  {
    header: t.code,
    cell: ({ code, livemode }) => (
      <>
        {code} <ModeBadge livemode={livemode} />
      </>
    ),
  },
  { header: t.discount, cell: ({ psp_coupon_id }) => psp_coupon_id },
  { header: t.state, cell: ({ status }) => <StateBadge state={status} /> },
  { header: t.redeemed, numeric: true, cell: ({ observation }) => observation?.times_redeemed.toLocaleString(LOCALE) },
  { header: t.checked, cell: ({ observed_at }) => <Ago at={observed_at} /> },
];

const ACTIONS: Column<Code> = { header: t.actions, cell: (code) => <Actions code={code} /> };

export function PromoCodesPage() {
  const { id = '' } = useParams();
  const affiliate = useQuery(trpc.affiliates.get.queryOptions({ id }));
  return (
    <LoadedPage query={affiliate}>{(record) => <PromoCodesOf affiliate={{ id: record.id, name: nameOf(record) }} />}</LoadedPage>
  );
}

function PromoCodesOf({ affiliate }: { affiliate: { id: string; name: string } }) {
  const page = usePageNumber();
  const codes = useQuery(
    trpc.promoCodes.list.queryOptions({ affiliate_id: affiliate.id, page }, { placeholderData: keepPreviousData }),
  );
  const [assigning, dialog] = useDisclosure();
  const may = useMay();
  const mayChange = may('affiliate_coupons');
  const assign = mayChange && <Button onClick={dialog.open}>{t.assignCode}</Button>;
  if (codes.isError && serviceErrorOf(codes.error).code === 'PSP_NOT_CONNECTED')
    return (
      <Page title={t.ofName({ name: affiliate.name })} description={t.meaning}>
        <RecordLinks of="affiliate" id={affiliate.id} />
        <EmptyState
          picture="links"
          title={t.notConnected}
          action={may('psp') && <ActionLink to="/settings/payment-provider">{t.connect}</ActionLink>}
        >
          {t.notConnectedHint}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={t.ofName({ name: affiliate.name })} description={t.meaning} actions={assign}>
      <RecordLinks of="affiliate" id={affiliate.id} />
      <PendingCodes affiliateId={affiliate.id} />
      <Loaded query={codes}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState picture="links" title={t.noCodes}>
              {t.meaning}
            </EmptyState>
          ) : (
            <Stack>
              <RecordTable
                caption={t.link}
                columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
                rows={data}
                keyOf={({ id }) => String(id)}
              />
              <Paging pagination={pagination} />
            </Stack>
          )
        }
      </Loaded>
      {assigning && <AssignCode affiliate={affiliate} onClose={dialog.close} />}
    </Page>
  );
}

function Actions({ code: { id, affiliate_id, code, status } }: { code: Code }) {
  const refresh = useMutation(trpc.promoCodes.refresh.mutationOptions());
  const stop = useMutation(trpc.promoCodes.stop.mutationOptions());
  const change = { affiliate_id, id: String(id), dry_run: false };
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t.refreshOf({ code })}
        loading={refresh.isPending}
        onClick={() => refresh.mutate(change)}
      >
        {t.refresh}
      </Button>
      {status !== 'stopped' && (
        <ConfirmedButton
          action={t.stop}
          subject={code}
          dangerous
          consequence={t.stopConsequence}
          mutation={stop}
          run={() => stop.mutateAsync(change)}
        />
      )}
      {refresh.isError && <Failure error={refresh.error} />}
    </Group>
  );
}
