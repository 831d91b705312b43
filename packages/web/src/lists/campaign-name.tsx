import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { CAMPAIGN_CHOICES } from './lists.ts';

/**
 * The name of a campaign in a list. It is read from the campaigns by which the list can be filtered, so that the list need not repeat the campaign in
 * every record. A campaign that is not among them, e.g. an archived one, is requested.
 */
export function CampaignName({ id }: { id: string }) {
  const choices = useQuery(trpc.campaigns.list.queryOptions(CAMPAIGN_CHOICES));
  const known = choices.data?.data.find((campaign) => campaign.id === id);
  const other = useQuery(trpc.campaigns.get.queryOptions({ id }, { enabled: choices.isSuccess && known === undefined }));
  return (known ?? other.data)?.name;
}
