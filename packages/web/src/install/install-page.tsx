import { trackingSnippet } from '@affiliate/core/browser';
import { Code, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { RecordLink } from '../components/cells.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { pathOf } from '../records/paths.ts';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/install.ts';
import { SalesSource } from './sales-source.tsx';
import { SiteCheck } from './site-check.tsx';
import { TestVisit } from './test-visit.tsx';

type Click = Outputs['clicks']['recent']['clicks'][number];

const EVERY_MS = 3_000;

const COLUMNS: Column<Click>[] = [
  { header: t.when, cell: ({ at }) => <Moment at={at} /> },
  { header: t.link, cell: ({ token }) => token ?? '–' },
  { header: t.from, cell: ({ referrer_host }) => referrer_host ?? t.without },
  { header: t.landing, cell: ({ landing_path }) => landing_path },
  { header: t.browser, cell: ({ browser, device }) => [browser, device].filter(Boolean).join(', ') },
  {
    header: t.visit,
    cell: ({ bot_reason, referral_id }) => (bot_reason === null ? <ReferralOf id={referral_id} /> : t[bot_reason]),
  },
];

/** Links to the referral of a visit. */
function ReferralOf({ id }: { id: string | null }) {
  if (id === null) return '–';
  return <RecordLink to={pathOf(id)!}>{t.referralNamed({ id: id.slice(-6) })}</RecordLink>;
}

/** Shows the tracking script to copy, a check of the merchant's site, a test visit, and the most recent visits. */
export function InstallPage() {
  const { account } = useMember();
  const recent = useQuery(trpc.clicks.recent.queryOptions(undefined, { refetchInterval: EVERY_MS }));
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  const params = campaigns.data?.data.flatMap((campaign) => campaign.params) ?? [];
  const snippet = trackingSnippet(window.location.origin, account.id, params);
  return (
    <Page title={t.title} description={t.titleExplained}>
      <Panel title={t.script}>
        <Stack align="flex-start">
          <Text>{t.scriptExplained}</Text>
          <Code block w="100%" tabIndex={0} aria-label={t.snippet}>
            {snippet}
          </Code>
          <CopyButton value={snippet} />
        </Stack>
      </Panel>
      <SalesSource />
      <SiteCheck />
      <TestVisit />
      <section aria-labelledby="recent">
        <Title order={2} size="h4" id="recent">
          {t.recent}
        </Title>
        <Text c="dimmed" mb="sm">
          {t.recentExplained}
        </Text>
        <Loaded query={recent}>
          {({ clicks }) =>
            clicks.length === 0 ? (
              <EmptyState picture="tracking" title={t.recent}>
                {t.noVisits}
              </EmptyState>
            ) : (
              <RecordTable
                caption={t.recent}
                columns={COLUMNS}
                rows={clicks}
                keyOf={({ at, link_id, referral_id }) => `${at} ${link_id} ${referral_id}`}
              />
            )
          }
        </Loaded>
      </section>
    </Page>
  );
}
