import type { Outputs } from '@affiliate/client';
import { List, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, trpc } from '../api/client.ts';
import { DialogButton } from '../components/dialog-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { notify } from '../components/notices.tsx';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/test-mode.ts';

type Copied = Outputs['testMode']['copyCampaigns']['data'][number];

/** A button that copies the campaigns of live mode which test mode lacks, after a look at them. */
export function CopyCampaigns() {
  return (
    <DialogButton size="compact-sm" action={t.copyCampaigns}>
      {(close) => <CopyDialog onClose={close} />}
    </DialogButton>
  );
}

function CopyDialog({ onClose }: { onClose: () => void }) {
  const preview = useQuery({
    queryKey: ['copy-campaigns'],
    queryFn: () => client.testMode.copyCampaigns.mutate({ dry_run: true }),
    gcTime: 0,
  });
  const copy = useMutation(
    trpc.testMode.copyCampaigns.mutationOptions({
      onSuccess: ({ data }) => {
        notify(t.copied(data.filter(({ copied }) => copied).length));
        onClose();
      },
    }),
  );
  return (
    <FormDialog
      title={t.copyCampaigns}
      submit={t.copy}
      disabled={!preview.data?.data.some(({ copied }) => copied)}
      progress={copy}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        copy.mutate({});
      }}
    >
      <Text>{t.copyMeaning}</Text>
      <Loaded query={preview}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>{t.nothingToCopy}</Text>
          ) : (
            <List spacing="xs">
              {data.map((campaign) => (
                <List.Item key={campaign.live_campaign_id}>
                  <b>{campaign.name}</b>: {wordsFor(campaign).join(' ')}
                </List.Item>
              ))}
            </List>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

function wordsFor({ copied, rules_count, tiers_count, left_out_rules_count, provider_ids }: Copied): string[] {
  if (!copied) return [t.alreadyThere];
  return [
    t.rules(rules_count),
    ...(tiers_count > 0 ? [t.tiers(tiers_count)] : []),
    ...(left_out_rules_count > 0 ? [t.leftOut(left_out_rules_count)] : []),
    ...(provider_ids.length > 0 ? [t.namesIds({ ids: new Intl.ListFormat(LOCALE).format(provider_ids) })] : []),
  ];
}
