import type { ButtonProps } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { RestoreButton } from '../components/restore-button.tsx';
import { t } from '../texts/campaigns.ts';
import { t as counts } from '../texts/counts.ts';
import type { Campaign } from './campaign.ts';

interface ArchiveCampaignProps {
  campaign: Campaign;
  size: NonNullable<ButtonProps['size']>;
}

/** A button that archives a campaign or, if the campaign is archived, restores it. */
export function ArchiveCampaign({ campaign: { id, name, archived_at }, size }: ArchiveCampaignProps) {
  const archive = useMutation(trpc.campaigns.archive.mutationOptions());
  if (archived_at !== null)
    return <RestoreButton size={size} name={name} restore={() => client.campaigns.update.mutate({ id, archived_at: null })} />;
  return (
    <ConfirmedButton
      action={t.archive}
      subject={name}
      size={size}
      dangerous
      consequence={<ArchiveConsequence id={id} />}
      mutation={archive}
      run={() => archive.mutateAsync({ id })}
    />
  );
}

/** Says what archiving the campaign does, with counts of the affected records that are loaded when the dialog opens. */
function ArchiveConsequence({ id }: { id: string }) {
  const { data } = useQuery(trpc.campaigns.get.queryOptions({ id, expand: ['usage'] }));
  const usage = data?.usage;
  return (
    <>
      {t.archiveConsequence}{' '}
      {usage &&
        t.endsWithIt({
          affiliates: counts.affiliates(usage.affiliates),
          links: counts.links(usage.links),
          codes: counts.promoCodes(usage.promo_codes),
          subscriptions: counts.runningSubscriptions(usage.subscriptions),
        })}
    </>
  );
}
