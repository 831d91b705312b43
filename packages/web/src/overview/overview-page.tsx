import { Group, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { OverviewFunnel } from '../analytics/overview-funnel.tsx';
import { trpc } from '../api/client.ts';
import { Columns } from '../components/columns.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/overview.ts';
import { CurvePanel } from './curve-panel.tsx';
import { FallingDuePanel } from './falling-due-panel.tsx';
import { FiguresPanel } from './figures-panel.tsx';
import { NeedsYouPanel } from './needs-you-panel.tsx';
import { OnboardingPanel } from './onboarding-panel.tsx';
import { OwedPanel } from './owed-panel.tsx';
import { RangePicker } from './range-picker.tsx';
import { daysBefore, useRange } from './range.ts';
import { RecentActivityPanel } from './recent-activity-panel.tsx';
import { currenciesOf, daysIn } from './series.ts';
import { TopAffiliatesPanel } from './top-affiliates-panel.tsx';

/** Says how the program goes in a date range, what is owed, and what needs a person. */
export function OverviewPage() {
  const { account } = useMember();
  const [params] = useSearchParams();
  const [{ from, to }] = useRange();
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
          <RangePicker />
        </Group>
      }
    >
      <OnboardingPanel />
      <Loaded query={series}>
        {(data) => <FiguresPanel days={daysIn(currency, data)} before={before} currency={currency} />}
      </Loaded>
      <Columns
        aside={
          <Loaded query={overview}>
            {(now) => (
              <>
                <OwedPanel due={now.due} />
                <NeedsYouPanel needsReview={now.needs_review} />
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
