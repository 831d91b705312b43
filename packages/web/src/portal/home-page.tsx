import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { PortalData } from './portal-data.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { CopyLink } from './copy-button.tsx';
import classes from './portal-layout.module.css';
import { usePortalPerson } from './portal-session.tsx';
import { reasonInWords } from './reasons.ts';

const TermsToAccept = lazy(async () => ({ default: (await import('./terms.tsx')).TermsToAccept }));

type Home = Outputs['portal']['home'];

export function HomePage() {
  const home = useQuery(trpc.portal.home.queryOptions());
  return <PortalData query={home}>{(data) => <LoadedHome home={data} />}</PortalData>;
}

function LoadedHome({ home }: { home: Home }) {
  const { campaign } = home;
  const { isView } = usePortalPerson();
  return (
    <Page title={home.first_name === null ? 'Welcome' : `Welcome, ${home.first_name}`} description={campaign.reward}>
      {home.terms !== null && (
        <Suspense fallback={null}>
          <TermsToAccept terms={home.terms} readOnly={isView} />
        </Suspense>
      )}
      {campaign.welcome_text !== null && home.visitors === 0 && <Text className={classes['text']}>{campaign.welcome_text}</Text>}
      <Panel title="Your links">
        {home.links.length === 0 ? (
          <Text>
            You have no link yet.{' '}
            <Anchor component={Link} to="/portal/links">
              Create your first link
            </Anchor>
          </Text>
        ) : (
          <>
            {home.links.map(({ id, tracking_url, token }) => (
              <Group key={id} justify="space-between" wrap="nowrap">
                <Text className={classes['url']} size="sm">
                  {tracking_url}
                </Text>
                <CopyLink url={tracking_url} token={token} primary />
              </Group>
            ))}
            <Anchor component={Link} to="/portal/links" size="sm">
              All links
            </Anchor>
          </>
        )}
      </Panel>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Figure label="Clicks" value={home.clicks} />
        <Figure label="Visitors" value={home.visitors} />
        <Figure label="Leads" value={home.leads} />
        <Figure label="Conversions" value={home.conversions} />
      </SimpleGrid>
      {home.earnings.length === 0 && (
        <Panel title="Earnings">
          <Text>Nothing yet. When somebody follows your link and buys, your commission appears here.</Text>
        </Panel>
      )}
      {home.earnings.map((earnings) => (
        <EarningsPanel key={earnings.currency} earnings={earnings} />
      ))}
      {campaign.affiliate_dashboard_text !== null && (
        <Panel title="From the merchant">
          <Text className={classes['text']}>{campaign.affiliate_dashboard_text}</Text>
        </Panel>
      )}
    </Page>
  );
}

function EarningsPanel({ earnings }: { earnings: Home['earnings'][number] }) {
  const { currency, payout } = earnings;
  return (
    <Panel title={`Earnings in ${currency}`}>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Sum label="Not due yet" cents={earnings.pending_cents} currency={currency} />
        <Sum label="Due" cents={earnings.due_cents} currency={currency} />
        {earnings.in_review_cents !== 0 && <Sum label="In review" cents={earnings.in_review_cents} currency={currency} />}
        <Sum label="Paid" cents={earnings.paid_cents} currency={currency} />
      </SimpleGrid>
      {earnings.next_due_at !== null && (
        <Text>
          The next commission falls due on <Moment at={earnings.next_due_at} />.
        </Text>
      )}
      {payout && payout.ineligible_reasons.length === 0 && (
        <Text>
          <Money cents={payout.amount_cents} currency={currency} /> can be paid in the merchant’s next payout.
        </Text>
      )}
      {payout && payout.ineligible_reasons.length > 0 && (
        <div>
          <Text>
            <Money cents={payout.amount_cents} currency={currency} /> cannot be paid yet:
          </Text>
          <ul>
            {payout.ineligible_reasons.map((reason) => (
              <li key={reason}>{reasonInWords(reason, earnings)}</li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}

function Panel({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Paper withBorder radius="md" p="md" component="section">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <Paper withBorder radius="md" p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className={classes['figure']}>{value.toLocaleString()}</div>
    </Paper>
  );
}

function Sum({ label, cents, currency }: { label: string; cents: number; currency: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className={classes['figure']}>
        <Money cents={cents} currency={currency} />
      </div>
    </div>
  );
}
