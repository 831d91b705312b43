import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { usePageNumber } from '../components/page-number.ts';
import type { Column } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { language } from '../texts/language.ts';
import { t } from '../texts/portal-pages.ts';
import { t as common } from '../texts/portal.ts';
import { RecordPage } from './record-page.tsx';

type Commission = Outputs['portal']['listCommissions']['data'][number];

const COLUMNS: Column<Commission>[] = [
  { header: t.date, cell: ({ charged_at, created_at }) => <Moment at={charged_at ?? created_at} /> },
  { header: t.purpose, cell: (commission) => <Purpose commission={commission} /> },
  { header: t.amount, numeric: true, cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
  { header: t.state, cell: (commission) => <State commission={commission} /> },
];

export function CommissionsPage() {
  const page = usePageNumber();
  const query = useQuery(trpc.portal.listCommissions.queryOptions({ page }));
  return <RecordPage title={common.commissions} none={t.noCommissions} query={query} columns={COLUMNS} />;
}

/** Says what the commission is for, and how its amount came about. */
function Purpose({ commission }: { commission: Commission }) {
  const { description, source, explained_in } = commission;
  return (
    <>
      {subjectOf(commission)}
      <Text size="sm" c="dimmed">
        {[description, source !== null && t.throughSource({ source }), explained_in[language]].filter(Boolean).join(' · ')}
      </Text>
    </>
  );
}

function subjectOf({ kind, customer, note, campaign_name }: Commission): string {
  if (kind === 'manual') return note ?? t.paidByMerchant;
  if (kind === 'milestone') return t.milestoneReached;
  if (kind === 'lead') return t.rewardForLead;
  const sale = customer === null ? t.saleToSomebody : t.saleTo({ customer });
  if (kind === 'bonus') return t.bonusFor({ sale });
  if (kind === 'adjustment') return t.correction({ sale });
  return campaign_name === null ? sale : t.saleIn({ sale, campaign: campaign_name });
}

const VOID_CAUSES = {
  refund: t.voidedByRefund,
  not_charged: t.notCharged,
  reattributed: t.voidedByOther,
  corrected: t.rewardCorrected,
  merchant: t.voidedByMerchant,
} as const;

function State({ commission: { state, in_review, due_at, paid_at, void_cause, sale_refunded } }: { commission: Commission }) {
  return (
    <div>
      <StateBadge state={state} />
      <Text size="sm" component="div" c="dimmed">
        {in_review && <div>{t.merchantLooks}</div>}
        {state === 'pending' && (
          <div>
            <Filled text={t.dueOn} values={{ date: <Moment at={due_at} /> }} />
          </div>
        )}
        {state === 'paid' && <Moment at={paid_at} />}
        {void_cause !== null && <div>{VOID_CAUSES[void_cause]}</div>}
        {state !== 'voided' && sale_refunded && <div>{t.partRefunded}</div>}
      </Text>
    </div>
  );
}
