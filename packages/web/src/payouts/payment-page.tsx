import { Alert, Group, Paper, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { CellNote, RecordLink } from '../components/cells.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Filled } from '../components/filled.tsx';
import { labelOf } from '../components/labels.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Loaded } from '../components/loaded.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { Paging } from '../components/paging.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useMay, useMember } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/sending.ts';
import { AttemptActions } from './attempt-actions.tsx';
import { type Attempt, isUndecided, MEANINGS, type Payment, pollWhilePaying } from './payments.ts';
import { PayoutSections } from './payout-sections.tsx';

type Total = Payment['totals'][number];

const TOTALS: Column<Total>[] = [
  { header: t.currency, cell: ({ currency }) => currency },
  { header: t.payouts, numeric: true, cell: ({ payouts_count }) => payouts_count.toLocaleString(LOCALE) },
  amount(t.amount, 'amount_cents'),
  amount(t.unsent, 'unsent_cents'),
  amount(t.underway, 'underway_cents'),
  amount(t.arrived, 'arrived_cents'),
  amount(t.ended, 'ended_cents'),
];

function amount(header: string, field: Exclude<keyof Total, 'currency' | 'payouts_count'>): Column<Total> {
  return { header, numeric: true, cell: ({ currency, [field]: cents }) => formatMoney(cents, currency) };
}

const COLUMNS: Column<Attempt>[] = [
  { header: t.affiliate, cell: ({ affiliate_id, affiliate }) => <AffiliateLink id={affiliate_id} affiliate={affiliate} /> },
  {
    header: t.amount,
    numeric: true,
    cell: ({ payout_id, amount_cents, affiliate_fee_cents, currency }) => (
      <>
        <RecordLink to={`/payouts/${payout_id}`}>
          <Money cents={amount_cents} currency={currency} />
        </RecordLink>
        {affiliate_fee_cents === null && <CellNote>{t.feeAskedFor}</CellNote>}
        {affiliate_fee_cents !== null && affiliate_fee_cents > 0 && (
          <CellNote>
            {t.sentAfterFee({
              sent: formatMoney(amount_cents - affiliate_fee_cents, currency),
              fee: formatMoney(affiliate_fee_cents, currency),
            })}
          </CellNote>
        )}
      </>
    ),
  },
  { header: t.state, cell: (attempt) => <State attempt={attempt} /> },
  {
    header: t.fee,
    numeric: true,
    cell: ({ fee_cents, fee_currency }) => (fee_cents === null ? '–' : formatMoney(fee_cents, fee_currency!)),
  },
];

/** The state of a payment in plain words, with the words of the service that pays. */
function State({ attempt }: { attempt: Attempt }) {
  const { state, reason, raw_state, method, expires_at } = attempt;
  const words = state === 'failed' || state === 'returned' ? reason : null;
  return (
    <div>
      <StateBadge state={state} />
      <CellNote>
        <div>{isUndecided(attempt) ? t.undecidedHint : MEANINGS[state]}</div>
        {state === 'unclaimed' && expires_at !== null && (
          <Filled text={t.comesBack} values={{ at: <Moment at={expires_at} /> }} />
        )}
        {raw_state !== null && <div>{t.atService({ service: labelOf(method), state: words ?? raw_state })}</div>}
      </CellNote>
    </div>
  );
}

/** Payments that the service sends together: what they pay, who agreed, and what became of each. */
export function PaymentPage() {
  const { id = '' } = useParams();
  const payment = useQuery(
    trpc.payoutBatches.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => pollWhilePaying(state.data?.state === 'paying') },
    ),
  );
  return <LoadedPage query={payment}>{(record) => <PaymentDetail payment={record} />}</LoadedPage>;
}

function PaymentDetail({ payment }: { payment: Payment }) {
  const may = useMay();
  const mayPay = may('payouts');
  const { created_at, state, livemode, method, totals, fees, unknown_count, unquoted_count } = payment;
  const { needs_approval, approved_at, waits_until, waits_for } = payment;
  const isPrepared = state === 'prepared' || state === 'approved';
  const charged = fees.filter(({ charged_cents }) => charged_cents !== 0);
  return (
    <Page
      title={t.payments}
      description={<Filled text={t.createdAt} values={{ at: <Moment at={created_at} /> }} />}
      actions={mayPay && <Acts payment={payment} />}
    >
      <PayoutSections />
      <Paper withBorder p="md" radius="md">
        <Stack gap="sm">
          <Group gap="sm" role="status">
            <StateBadge state={state} />
            <ModeBadge livemode={livemode} />
            <Text>{labelOf(method)}</Text>
          </Group>
          {needs_approval && <Alert color="yellow">{t.needsApproval}</Alert>}
          {waits_until !== null && (
            <Alert color="yellow">
              <Filled text={t.waitsUntil} values={{ at: <Moment at={waits_until} /> }} />
            </Alert>
          )}
          {(waits_for === 'method_paused' || waits_for === 'payouts_stopped') && (
            <Alert color="yellow">{waits_for === 'method_paused' ? t.methodPaused : t.payoutsStopped}</Alert>
          )}
          {approved_at !== null && (
            <Text size="sm" component="div">
              <Filled text={t.approvedBy} values={{ at: <Moment at={approved_at} /> }} />
            </Text>
          )}
          {unknown_count > 0 && <Alert color="red">{t.unknownCount(unknown_count)}</Alert>}
          <RecordTable caption={t.totals} columns={TOTALS} rows={totals} keyOf={({ currency }) => currency} />
          <FeesBorne fees={fees} />
          {isPrepared && unquoted_count > 0 && <Text size="sm">{t.feesUnknown(unquoted_count)}</Text>}
          {charged.map(({ currency, charged_cents }) => (
            <Text size="sm" key={currency}>
              {t.feesCharged({ amount: formatMoney(charged_cents, currency) })}
            </Text>
          ))}
        </Stack>
      </Paper>
      <Section title={t.paymentsHeading}>
        <Attempts payment={payment} mayPay={mayPay} />
      </Section>
    </Page>
  );
}

/** The fees that affiliates bear. */
export function FeesBorne({ fees }: Pick<Payment, 'fees'>) {
  return fees
    .filter(({ affiliate_cents }) => affiliate_cents !== 0)
    .map(({ currency, affiliate_cents }) => (
      <Text size="sm" key={currency}>
        {t.feesBorne({ amount: formatMoney(affiliate_cents, currency) })}
      </Text>
    ));
}

/** What can be done with the payments as a whole. Another person than the one who prepared them approves. */
function Acts({ payment }: { payment: Payment }) {
  const { user } = useMember();
  const { id, state, method, totals, payouts_count, items_hash, needs_approval, prepared_by } = payment;
  const approve = useMutation(trpc.payoutBatches.approve.mutationOptions());
  const send = useMutation(trpc.payoutBatches.send.mutationOptions());
  const withdraw = useMutation(trpc.payoutBatches.withdraw.mutationOptions());
  const unsent = totals.filter(({ unsent_cents }) => unsent_cents > 0);
  if (unsent.length === 0) return null;
  const subject = unsent.map(({ currency, unsent_cents }) => formatMoney(unsent_cents, currency)).join(', ');
  const isPrepared = state === 'prepared' || state === 'approved';
  return (
    <Group>
      {state === 'prepared' && prepared_by !== user.id && (
        <ConfirmedButton
          action={t.approve}
          subject={subject}
          size="sm"
          consequence={t.approveConsequence}
          mutation={approve}
          run={() => approve.mutateAsync({ id, ...(items_hash !== null && { items_hash }) })}
        />
      )}
      {isPrepared && !needs_approval && (
        <ConfirmedButton
          action={t.send}
          subject={subject}
          size="sm"
          variant="filled"
          consequence={t.sendConsequence({
            amount: subject,
            affiliates: counts.affiliates(payouts_count),
            service: labelOf(method),
          })}
          mutation={send}
          run={() => send.mutateAsync({ id })}
        />
      )}
      <ConfirmedButton
        action={t.withdraw}
        subject={subject}
        size="sm"
        dangerous
        consequence={t.withdrawConsequence}
        mutation={withdraw}
        run={() => withdraw.mutateAsync({ id })}
      />
    </Group>
  );
}

function Attempts({ payment: { id, state }, mayPay }: { payment: Payment; mayPay: boolean }) {
  const page = usePageNumber();
  const attempts = useQuery(
    trpc.payoutAttempts.list.queryOptions(
      { batch_id: id, page, sort: 'created_at', expand: ['affiliate'] },
      { placeholderData: keepPreviousData, refetchInterval: pollWhilePaying(state === 'paying') },
    ),
  );
  const actions: Column<Attempt> = { header: t.actions, cell: (attempt) => <AttemptActions attempt={attempt} /> };
  return (
    <Loaded query={attempts}>
      {({ data, pagination }) => (
        <Stack>
          <RecordTable
            caption={t.paymentsHeading}
            columns={mayPay ? [...COLUMNS, actions] : COLUMNS}
            rows={data}
            keyOf={(attempt) => attempt.id}
          />
          <Paging pagination={pagination} />
        </Stack>
      )}
    </Loaded>
  );
}
