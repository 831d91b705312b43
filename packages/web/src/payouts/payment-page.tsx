import { Alert, Group, Paper, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import { trpc } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { CellNote, RecordLink } from '../components/cells.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { Filled } from '../components/filled.tsx';
import { Filter, useChoice } from '../components/filter.tsx';
import { labelOf, optionsOf } from '../components/labels.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { ModeBadge } from '../components/mode-badge.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import { Page } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { Sections } from '../lists/sections.tsx';
import { useMay, useMember } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/sending.ts';
import { AttemptActions } from './attempt-actions.tsx';
import { type Attempt, endOf, isCode, isScreened, isUndecided, MEANINGS, type Payment, pollWhilePaying } from './payments.ts';

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

/** Why payments wait, with a link to the place where that can be changed. */
const WAITS = {
  method_paused: t.methodPaused,
  payouts_stopped: t.payoutsStopped,
  rail_stopped: t.railStopped,
  rail_missing: t.railMissing,
  screening: t.screeningWaits,
};

/** States of payments that the list can be limited to. */
const STATES = Object.keys(MEANINGS) as Attempt['state'][];

/** Says what a state means, and what happens next. */
function hintOf(attempt: Attempt): string {
  if (isUndecided(attempt)) return t.undecidedHint;
  if (isScreened(attempt)) return t.screeningHint;
  return attempt.state === 'sent' && attempt.raw_state === null ? t.sendingHint : MEANINGS[attempt.state];
}

/** The state of a payment in plain words, with the words of the service that pays. */
function State({ attempt }: { attempt: Attempt }) {
  const { state, reason, raw_state, method, expires_at, first_posted_at, returned_cents, currency } = attempt;
  const end = endOf(attempt);
  // A text is of the service that pays, if it has said anything.
  const said = raw_state === null || end === null || isCode(reason) ? raw_state : end;
  return (
    <div>
      <StateBadge state={state} />
      <CellNote>
        <div>{hintOf(attempt)}</div>
        {end !== null && end !== said && <div>{end}</div>}
        {state === 'unknown' && first_posted_at !== null && (
          <Filled text={t.sentFirst} values={{ at: <Moment at={first_posted_at} /> }} />
        )}
        {state === 'unclaimed' && expires_at !== null && (
          <Filled text={t.comesBack} values={{ at: <Moment at={expires_at} /> }} />
        )}
        {returned_cents !== null && <div>{t.cameBack({ amount: formatMoney(returned_cents, currency) })}</div>}
        {said !== null && <div>{t.atService({ service: labelOf(method), state: said })}</div>}
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
      <Sections of="payouts" />
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
          {waits_for !== null && waits_for !== 'allowed_hours' && (
            <Alert color="yellow">
              <Filled
                text={WAITS[waits_for]}
                values={{
                  settings: (
                    <RecordLink to="/settings/payout-methods" inText>
                      {t.payoutMethods}
                    </RecordLink>
                  ),
                }}
              />
            </Alert>
          )}
          {approved_at !== null && (
            <Text size="sm" component="div">
              <Filled text={t.approvedBy} values={{ at: <Moment at={approved_at} /> }} />
            </Text>
          )}
          {unknown_count > 0 && (
            <Alert color="red">
              {t.unknownCount(unknown_count)}{' '}
              <RecordLink to="?state=unknown" inText>
                {t.showThem}
              </RecordLink>
            </Alert>
          )}
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

/** The actions on the payments as a whole. Another person than the one who prepared them approves. */
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

function Attempts({ payment, mayPay }: { payment: Payment; mayPay: boolean }) {
  const { id, state } = payment;
  const page = usePageNumber();
  const only = useChoice('state', STATES);
  const attempts = useQuery(
    trpc.payoutAttempts.list.queryOptions(
      { batch_id: id, page, sort: 'created_at', expand: ['affiliate'], state: only && [only] },
      { placeholderData: keepPreviousData, refetchInterval: pollWhilePaying(state === 'paying') },
    ),
  );
  const { refetch } = attempts;
  const shownFor = useRef(payment);
  // The last payment may have ended since the list was read.
  useEffect(() => {
    if (shownFor.current === payment) return;
    shownFor.current = payment;
    void refetch();
  }, [payment, refetch]);
  const actions: Column<Attempt> = { header: t.actions, cell: (attempt) => <AttemptActions attempt={attempt} /> };
  return (
    <Stack>
      <Group>
        <Filter label={t.state} name="state" all={t.allStates} options={optionsOf(STATES)} />
      </Group>
      <PagedTable
        query={attempts}
        caption={t.paymentsHeading}
        columns={mayPay ? [...COLUMNS, actions] : COLUMNS}
        empty={<Text>{t.noneInState}</Text>}
      />
    </Stack>
  );
}
