import { Alert, Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { type Outputs, trpc } from '../api/client.ts';
import { FigureTile } from '../components/figure-tile.tsx';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';
import { TileMoney, TileNumber } from '../components/tile-figure.tsx';
import { LOCALE, language } from '../texts/language.ts';
import { t } from '../texts/portal.ts';
import { CopyLink } from './copy-button.tsx';
import { PortalData } from './portal-data.tsx';
import { usePortalPerson } from './portal-session.tsx';
import classes from './portal-layout.module.css';

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
    <Page
      title={home.first_name === null ? t.welcome : t.welcomeName({ name: home.first_name })}
      description={campaign.reward_in[language]}
    >
      {campaign.archived_at !== null && (
        <Alert color="yellow" role="status" title={t.campaignEnded}>
          <Filled text={t.campaignEndedExplained} values={{ date: <Moment at={campaign.archived_at} /> }} />
        </Alert>
      )}
      {campaign.reward_change !== null && campaign.archived_at === null && (
        <Alert color="blue" role="status" title={t.rewardChanged}>
          <Filled
            text={t.rewardChangedExplained}
            values={{ date: <Moment at={campaign.reward_change.at} />, former: campaign.reward_change.former_in[language] }}
          />
        </Alert>
      )}
      {home.terms !== null && (
        <Suspense fallback={null}>
          <TermsToAccept terms={home.terms} readOnly={isView} />
        </Suspense>
      )}
      {campaign.welcome_text !== null && home.visitors === 0 && <Text className={classes['text']}>{campaign.welcome_text}</Text>}
      {home.rewards.length > 0 && (
        <Panel title={t.whatYouEarn}>
          <ul>
            {home.rewards.map((reward) => (
              <li key={reward[language]}>{reward[language]}</li>
            ))}
          </ul>
        </Panel>
      )}
      {home.tiers.length > 0 && (
        <Panel title={t.yourTiers}>
          {home.tiers.map((tier) => (
            <TierProgress key={tier.id} tier={tier} />
          ))}
          <EarlierTiers periods={home.tier_history.filter(({ until }) => until !== null)} />
        </Panel>
      )}
      {!home.terms?.is_due && (
        <Panel title={t.yourLinks}>
          {home.links.length === 0 ? (
            <Text>
              {t.noLinkYet}{' '}
              <Anchor component={Link} to="/portal/links">
                {t.createFirstLink}
              </Anchor>
            </Text>
          ) : (
            <Stack gap="sm">
              {home.links.map(({ id, copy_url, token, label, earns }) => (
                <Group key={id} justify="space-between" wrap="nowrap">
                  <Text className={classes['url']} size="sm">
                    {label !== null && <b>{label} </b>}
                    {copy_url}
                  </Text>
                  {earns ? <CopyLink url={copy_url} token={token} primary /> : <Text size="sm">{t.earnsNothing}</Text>}
                </Group>
              ))}
              <Anchor component={Link} to="/portal/links" size="sm">
                {t.allLinks}
              </Anchor>
            </Stack>
          )}
        </Panel>
      )}
      <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 4 }}>
        <FigureTile label={t.clicks} value={<TileNumber value={home.clicks} />} />
        <FigureTile label={t.visitors} value={<TileNumber value={home.visitors} />} />
        <FigureTile label={t.leads} value={<TileNumber value={home.leads} />} />
        <FigureTile label={t.conversions} value={<TileNumber value={home.conversions} />} />
      </SimpleGrid>
      {home.earnings.length === 0 && (
        <Panel title={t.earnings}>
          <Text>{t.nothingEarned}</Text>
        </Panel>
      )}
      {home.earnings.map((earnings) => (
        <EarningsPanel key={earnings.currency} earnings={earnings} />
      ))}
      {campaign.affiliate_dashboard_text !== null && (
        <Panel title={t.fromMerchant}>
          <Text className={classes['text']}>{campaign.affiliate_dashboard_text}</Text>
        </Panel>
      )}
    </Page>
  );
}

const PROGRESS = {
  customers: t.customersOf,
  sales: t.salesOf,
  revenue: t.revenueOf,
} as const;
const PERIODS = { ever: t.soFar, month: t.thisMonth, quarter: t.thisQuarter } as const;

function TierProgress({ tier: { name, metric, currency, window, from, is_reached, count } }: { tier: Home['tiers'][number] }) {
  const show = (value: number) =>
    currency === null ? value.toLocaleString(LOCALE) : <Money cents={value} currency={currency} />;
  return (
    <Group justify="space-between">
      <Text fw={is_reached ? 600 : undefined}>{is_reached ? t.reachedTier({ name }) : name}</Text>
      <Text size="sm">
        <Filled text={PROGRESS[metric]} values={{ count: show(count), from: show(from), period: PERIODS[window] }} />
      </Text>
    </Group>
  );
}

/** The periods in which the affiliate had a tier that ended, newest first. */
function EarlierTiers({ periods }: { periods: Home['tier_history'] }) {
  return periods.map(({ name, since, until }) => (
    <Text key={`${name} ${since}`} size="sm">
      <Filled text={t.tierUntil} values={{ name, since: <Moment at={since} />, until: <Moment at={until} /> }} />
    </Text>
  ));
}

function EarningsPanel({ earnings }: { earnings: Home['earnings'][number] }) {
  const { currency, outlook } = earnings;
  return (
    <Panel title={t.earningsIn({ currency })}>
      <Stack gap="sm">
        <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 4 }}>
          <Sum label={t.notDueYet} cents={earnings.pending_cents} currency={currency} />
          <Sum label={t.due} cents={earnings.due_cents} currency={currency} />
          {earnings.in_review_cents !== 0 && <Sum label={t.inReview} cents={earnings.in_review_cents} currency={currency} />}
          <Sum label={t.paid} cents={earnings.paid_cents} currency={currency} />
        </SimpleGrid>
        <Text>{outlook === null ? t.nothingUnpaid : outlook.in_words[language]}</Text>
        {outlook?.to_do === 'enter_payout_details' && (
          <Anchor component={Link} to="/portal/payout-details">
            {t.enterPayoutDetails}
          </Anchor>
        )}
      </Stack>
    </Panel>
  );
}

function Sum({ label, cents, currency }: { label: string; cents: number; currency: string }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <dd className={classes['figure']}>
        <TileMoney cents={cents} currency={currency} />
      </dd>
    </div>
  );
}
