import { Group, NativeSelect, Text, Anchor } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams, Link } from 'react-router';
import { changeIn } from '../analytics/formats.ts';
import { OverviewFunnel } from '../analytics/overview-funnel.tsx';
import { trpc, type Outputs } from '../api/client.ts';
import { AffiliateLink } from '../components/affiliate-link.tsx';
import { formatMoney } from '../components/amounts.ts';
import { Columns } from '../components/columns.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { useMember } from '../session/session.tsx';
import { t as counts } from '../texts/counts.ts';
import { LOCALE } from '../texts/language.ts';
import { onDemand } from '../texts/on-demand.ts';
import { t } from '../texts/overview.ts';
import { CurvePanel } from './curve-panel.tsx';
import { FiguresPanel } from './figures-panel.tsx';
import { useNow } from './now.ts';
import { OnboardingPanel } from './onboarding-panel.tsx';
import { OwedPanel } from './owed-panel.tsx';
import { RangePicker } from './range-picker.tsx';
import { daysBefore, useRange } from './range.ts';
import { RecentActivityPanel } from './recent-activity-panel.tsx';
import { currenciesOf, daysIn } from './series.ts';
import classes from './overview.module.css';

type Month = Outputs['overview']['fallingDue']['months'][number];

const MONTH = onDemand(() => new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' }));

const COLUMNS: Column<Month>[] = [
  { header: t.month, cell: ({ month }) => MONTH().format(new Date(`${month}-01`)) },
  { header: t.commissions, numeric: true, cell: ({ count }) => count.toLocaleString(LOCALE) },
  { header: t.amount, numeric: true, cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency) },
];

/** Shows pending commissions by the month in which they become due. */
export function FallingDuePanel() {
  const fallingDue = useQuery(trpc.overview.fallingDue.queryOptions({}));
  return (
    <Panel title={t.fallingDue}>
      <Loaded query={fallingDue}>
        {({ months }) =>
          months.length === 0 ? (
            <Text c="dimmed">{t.nothingFallsDue}</Text>
          ) : (
            <RecordTable
              caption={t.fallingDue}
              columns={COLUMNS}
              rows={months}
              keyOf={({ month, currency }) => `${month} ${currency}`}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Says how the program goes in a date range, what is owed, and what needs a person. */
export function OverviewPage() {
  const { account } = useMember();
  const [params] = useSearchParams();
  const now = useNow();
  const [{ from, to }] = useRange(now);
  const overview = useQuery(trpc.overview.get.queryOptions({}));
  const series = useQuery(trpc.overview.daily.queryOptions({ from, to }, { placeholderData: keepPreviousData }));
  const previous = useQuery(trpc.overview.daily.queryOptions(daysBefore({ from, to }), { enabled: series.isSuccess }));
  const currencies = series.data ? currenciesOf(series.data, account.currency) : [account.currency];
  const currency = currencies.find((code) => code === params.get('currency')) ?? account.currency;
  const before = previous.data ? daysIn(currency, previous.data) : null;
  return (
    <Page
      title={t.overview}
      actions={
        <Group gap="xs">
          {currencies.length > 1 && <CurrencySelect currencies={currencies} currency={currency} />}
          <RangePicker now={now} />
        </Group>
      }
    >
      <OnboardingPanel />
      <Loaded query={series}>
        {(data) => <FiguresPanel days={daysIn(currency, data)} before={before} currency={currency} />}
      </Loaded>
      <Columns
        asideFirst
        aside={
          <Loaded query={overview}>
            {(state) => (
              <>
                <OwedPanel due={state.due} />
                <NeedsYouPanel needsReview={state.needs_review} />
                <FallingDuePanel />
              </>
            )}
          </Loaded>
        }
      >
        {series.data && <CurvePanel days={daysIn(currency, series.data)} before={before} currency={currency} />}
        <TopAffiliatesPanel from={from} to={to} currency={currency} />
      </Columns>
      <OverviewFunnel from={from} to={to} currency={currency} />
      {overview.data && <RecentActivityPanel activity={overview.data.recent_activity} />}
    </Page>
  );
}

/** Selects the currency of the figures. Amounts in different currencies cannot be added, so only one currency is shown. */
function CurrencySelect({ currencies, currency }: { currencies: string[]; currency: string }) {
  const [params, setParams] = useSearchParams();
  return (
    <NativeSelect
      aria-label={t.currency}
      value={currency}
      data={currencies}
      onChange={(event) => setParams({ ...Object.fromEntries(params), currency: event.currentTarget.value })}
    />
  );
}

/** Shows what needs a person: the numbers of commissions, rewards and sales, and the affiliates. */
export function NeedsYouPanel({ needsReview }: { needsReview: Outputs['overview']['get']['needs_review'] }) {
  const { commissions_count, rewards_count, sales_count, affiliates } = needsReview;
  const toReview = [
    commissions_count > 0 && counts.flaggedCommissions(commissions_count),
    rewards_count > 0 && counts.contradictedRewards(rewards_count),
    sales_count > 0 && counts.salesToReview(sales_count),
  ].filter((each) => each !== false);
  const nothing = toReview.length === 0 && affiliates.length === 0;
  return (
    <Panel title={t.needsReview}>
      {nothing ? (
        <Text c="dimmed">{t.nothingToReview}</Text>
      ) : (
        <ul className={classes['tasks']}>
          {toReview.map((counted) => (
            <li key={counted}>
              <Anchor component={Link} to="/commissions/review" inherit>
                {counted}
              </Anchor>
            </li>
          ))}
          {affiliates.map(({ id, email, state }) => (
            <li key={id}>
              <Anchor component={Link} to={`/affiliates/${id}`} inherit truncate>
                {email}
              </Anchor>
              <StateBadge state={state} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type TopAffiliate = Outputs['overview']['topAffiliates']['affiliates'][number];

function columns(currency: string): Column<TopAffiliate>[] {
  return [
    { header: t.affiliate, cell: (affiliate) => <AffiliateLink id={affiliate.id} affiliate={affiliate} /> },
    { header: t.salesCount, numeric: true, cell: ({ sales }) => sales.toLocaleString(LOCALE) },
    { header: t.sales, numeric: true, cell: ({ sales_cents }) => formatMoney(sales_cents, currency) },
    {
      header: t.changeSinceBefore,
      numeric: true,
      cell: ({ sales_cents, previous_sales_cents }) => changeIn(sales_cents, previous_sales_cents) ?? t.nothingBefore,
    },
    { header: t.commissions, numeric: true, cell: ({ commissions_cents }) => formatMoney(commissions_cents, currency) },
  ];
}

/** Shows the affiliates with the highest sales in the date range. */
export function TopAffiliatesPanel(range: { from: string; to: string; currency: string }) {
  const top = useQuery(trpc.overview.topAffiliates.queryOptions(range, { placeholderData: keepPreviousData }));
  return (
    <Panel title={t.topAffiliates}>
      <Loaded query={top}>
        {({ affiliates, currency }) =>
          affiliates.length === 0 ? (
            <Text c="dimmed">{t.noSales({ currency })}</Text>
          ) : (
            <RecordTable caption={t.topAffiliates} columns={columns(currency)} rows={affiliates} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}
