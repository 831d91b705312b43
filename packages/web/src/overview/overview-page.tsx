import { Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { OverviewFunnel } from '../analytics/overview-funnel.tsx';
import { trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/overview.ts';
import { ActivityPanels } from './activity-panels.tsx';
import { FallingDuePanel } from './falling-due-panel.tsx';
import { OnboardingPanel } from './onboarding-panel.tsx';
import { PayoutsOwedPanel } from './payouts-owed-panel.tsx';
import { RangePicker } from './range-picker.tsx';
import { useRange } from './range.ts';
import { RecentActivityPanel } from './recent-activity-panel.tsx';
import { ReviewPanel } from './review-panel.tsx';
import { currenciesOf } from './series.ts';
import { TopAffiliatesPanel } from './top-affiliates-panel.tsx';

/** Shows payouts owed, records that need review, and the figures of a date range. */
export function OverviewPage() {
  const { account } = useMember();
  const [params] = useSearchParams();
  const [{ from, to }] = useRange();
  const overview = useQuery(trpc.overview.get.queryOptions({}));
  const series = useQuery(trpc.overview.daily.queryOptions({ from, to }, { placeholderData: keepPreviousData }));
  const currencies = series.data ? currenciesOf(series.data, account.currency) : [account.currency];
  const currency = currencies.find((code) => code === params.get('currency')) ?? account.currency;
  return (
    <Page title={t.overview}>
      <Loaded query={overview}>
        {(now) => (
          <Stack gap="lg">
            <OnboardingPanel />
            <PayoutsOwedPanel due={now.due} />
            <ReviewPanel needsReview={now.needs_review} />
          </Stack>
        )}
      </Loaded>
      <Group align="flex-end" gap="sm">
        <RangePicker />
        {currencies.length > 1 && <CurrencySelect currencies={currencies} currency={currency} />}
      </Group>
      <Loaded query={series}>{(data) => <ActivityPanels series={data} currency={currency} />}</Loaded>
      <OverviewFunnel from={from} to={to} currency={currency} />
      <TopAffiliatesPanel from={from} to={to} currency={currency} />
      {overview.data && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <FallingDuePanel />
          <RecentActivityPanel activity={overview.data.recent_activity} />
        </SimpleGrid>
      )}
    </Page>
  );
}

/** Selects the currency of the figures. Amounts in different currencies cannot be added, so only one currency is shown. */
function CurrencySelect({ currencies, currency }: { currencies: string[]; currency: string }) {
  const [params, setParams] = useSearchParams();
  return (
    <NativeSelect
      label={t.currency}
      value={currency}
      data={currencies}
      onChange={(event) => setParams({ ...Object.fromEntries(params), currency: event.currentTarget.value })}
    />
  );
}
