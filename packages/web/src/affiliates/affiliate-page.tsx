import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { ApplicationPanel } from '../applications/application-panel.tsx';
import { nameOf } from '../components/affiliate-link.tsx';
import { Columns } from '../components/columns.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { Failure } from '../components/failure.tsx';
import { Filled } from '../components/filled.tsx';
import { LoadedPage } from '../components/loaded-page.tsx';
import { OnPage, useRecordId } from '../components/looked-at.tsx';
import { Moment } from '../components/moment.tsx';
import { MoreActions } from '../components/more-actions.tsx';
import { Page } from '../components/page.tsx';
import { RestoreButton } from '../components/restore-button.tsx';
import { Section } from '../components/section.tsx';
import { SharedAccounts } from '../payout-methods/shared-accounts.tsx';
import { PersonalData } from '../privacy/personal-data.tsx';
import { RecordLinks } from '../records/record-links.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/affiliates.ts';
import { t as timeline } from '../texts/timeline.ts';
import { EditAffiliate } from './affiliate-forms.tsx';
import type { Affiliate } from './affiliate.ts';
import { CouponPanel } from './coupon-panel.tsx';
import { CreateCommission } from './create-commission.tsx';
import { EarningsPanel } from './earnings-panel.tsx';
import { LinksPanel } from './links-panel.tsx';
import { PayoutMethodsPanel } from './payout-methods-panel.tsx';
import { RatesPanel } from './rates-panel.tsx';
import { ScreeningPanel } from './screening-panel.tsx';
import { StateSelect } from './state-select.tsx';
import { TimelinePanel } from './timeline-panel.tsx';
import { UnpaidPanel } from './unpaid-panel.tsx';

/** States in which an affiliate can use the portal. */
const WITH_PORTAL: ReadonlySet<string> = new Set(['active', 'disabled', 'suspicious']);

export function AffiliatePage() {
  const id = useRecordId();
  const affiliate = useQuery(
    trpc.affiliates.get.queryOptions({
      id,
      expand: ['campaign', 'links', 'coupon', 'commission_stats', 'tiers', 'outlook', 'shared_accounts'],
    }),
  );
  return <LoadedPage query={affiliate}>{(record) => <AffiliateDetail affiliate={record} />}</LoadedPage>;
}

function AffiliateDetail({ affiliate }: { affiliate: Affiliate }) {
  const may = useMay();
  const archived = affiliate.archived_at !== null;
  const mayAdd = may('commissions');
  const mayChange = may('affiliates');
  const mayView = may('portal_tokens') && !archived && WITH_PORTAL.has(affiliate.state);
  const mayAct = mayAdd || mayView || (mayChange && affiliate.erased_at === null);
  return (
    <Page
      title={nameOf(affiliate)}
      description={affiliate.email}
      actions={
        <Group gap="sm">
          {mayChange && !archived && (
            <DialogButton action={t.edit} variant="filled">
              {(close) => <EditAffiliate affiliate={affiliate} onClose={close} />}
            </DialogButton>
          )}
          {mayAct && (
            <MoreActions>
              {mayAdd && (
                <DialogButton action={t.addCommission}>
                  {(close) => <CreateCommission affiliate={affiliate} onClose={close} />}
                </DialogButton>
              )}
              {mayView && <ViewPortal affiliate={affiliate} />}
              {!mayChange || affiliate.erased_at !== null ? null : archived ? (
                <RestoreButton
                  size="sm"
                  name={nameOf(affiliate)}
                  restore={() => client.affiliates.update.mutate({ id: affiliate.id, archived_at: null })}
                />
              ) : (
                <ArchiveButton affiliate={affiliate} />
              )}
            </MoreActions>
          )}
        </Group>
      }
    >
      <RecordLinks of="affiliate" id={affiliate.id} />
      <SharedAccounts shared={affiliate.shared_accounts} />
      <Columns
        aside={
          <>
            <Paper withBorder p="md" radius="md">
              <Stack>
                {archived ? (
                  <Text>
                    <Filled text={t.archivedAt} values={{ at: <Moment at={affiliate.archived_at} /> }} />
                  </Text>
                ) : (
                  <StateSelect affiliate={affiliate} />
                )}
                <Text size="sm">
                  <Filled
                    text={t.campaignAndCreated}
                    values={{ campaign: affiliate.campaign?.name, at: <Moment at={affiliate.created_at} /> }}
                  />
                </Text>
                <ApplicationPanel affiliateId={affiliate.id} />
                <PayoutDetails affiliate={affiliate} />
                {affiliate.external_id !== null && <Text size="sm">{t.externalIdOf({ id: affiliate.external_id })}</Text>}
              </Stack>
            </Paper>
            <OnPage>
              <PayoutMethodsPanel affiliate={affiliate} />
              <ScreeningPanel affiliate={affiliate} />
              <Section title={t.coupon}>
                <CouponPanel affiliate={affiliate} />
              </Section>
              <PersonalData kind="affiliate" id={affiliate.id} name={nameOf(affiliate)} erasedAt={affiliate.erased_at} />
            </OnPage>
          </>
        }
      >
        <Section title={t.earnings}>
          <EarningsPanel affiliate={affiliate} />
        </Section>
        <Section title={t.unpaid}>
          <UnpaidPanel affiliate={affiliate} />
        </Section>
        <OnPage>
          {affiliate.tiers && affiliate.tiers.length > 0 && (
            <Section title={t.tiers}>
              <TierHistory tiers={affiliate.tiers} />
            </Section>
          )}
          <RatesPanel affiliate={affiliate} />
          <Section title={t.links}>
            <LinksPanel affiliate={affiliate} />
          </Section>
          <Section title={timeline.timeline}>
            <TimelinePanel id={affiliate.id} />
          </Section>
        </OnPage>
      </Columns>
    </Page>
  );
}

/** The periods in which the affiliate has had tiers, newest first. */
function TierHistory({ tiers }: { tiers: NonNullable<Affiliate['tiers']> }) {
  return (
    <Paper withBorder p="md" radius="md">
      <Stack gap="xs">
        {tiers.map(({ tier_id, name, since, until }) => (
          <Text key={`${tier_id} ${since}`} size="sm">
            {until === null ? (
              <Filled text={t.tierSince} values={{ name, since: <Moment at={since} /> }} />
            ) : (
              <Filled text={t.tierBetween} values={{ name, since: <Moment at={since} />, until: <Moment at={until} /> }} />
            )}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}

function PayoutDetails({ affiliate: { walleta_email, walletb_email } }: { affiliate: Affiliate }) {
  if (walleta_email === null && walletb_email === null) return <Text size="sm">{t.noPayoutDetails}</Text>;
  return (
    <Text size="sm">
      {t.paidTo({
        addresses: [walleta_email && `${walleta_email} (PayPal)`, walletb_email && `${walletb_email} (Wise)`]
          .filter(Boolean)
          .join(', '),
      })}
    </Text>
  );
}

/** A button that opens the portal as the affiliate sees it, in a new tab. */
function ViewPortal({ affiliate: { id } }: { affiliate: Affiliate }) {
  const view = useMutation(
    trpc.affiliates.viewPortal.mutationOptions({
      onSuccess: ({ url }) => {
        // Opens the portal at this page's origin, which may differ from the origin of the URL.
        const { pathname, hash } = new URL(url);
        window.open(pathname + hash, '_blank', 'noopener');
      },
    }),
  );
  return (
    <>
      <Button variant="default" loading={view.isPending} onClick={() => view.mutate({ id })}>
        {t.viewPortalAsAffiliate}
      </Button>
      {view.isError && <Failure error={view.error} />}
    </>
  );
}

function ArchiveButton({ affiliate }: { affiliate: Affiliate }) {
  const archive = useMutation(trpc.affiliates.archive.mutationOptions());
  return (
    <ConfirmedButton
      action={t.archive}
      subject={nameOf(affiliate)}
      size="sm"
      dangerous
      consequence={t.theAffiliateIsNoLonger}
      mutation={archive}
      run={() => archive.mutateAsync({ id: affiliate.id })}
    />
  );
}
