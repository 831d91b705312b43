import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { trpc } from '../api/client.ts';
import { t } from '../texts/components.ts';

interface CampaignSelectProps {
  /** An empty string stands for the default campaign or, if the account has none, for no choice yet. */
  value?: string;
  onChange: (id: string) => void;
  error?: React.ReactNode;
  /** True if the service uses the default campaign when no campaign is named. */
  mayBeDefault?: boolean;
}

/** Selects a campaign. The only campaign is selected already, and the default campaign is offered only if there is one. */
export function CampaignSelect({ value = '', onChange, error, mayBeDefault = false }: CampaignSelectProps) {
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  const choices = campaigns.data?.data ?? [];
  const only = choices.length === 1 ? choices[0]!.id : null;
  const hasDefault = mayBeDefault && choices.some((campaign) => campaign.default);
  useEffect(() => {
    if (only !== null && value === '') onChange(only);
  }, [only, value, onChange]);
  return (
    <NativeSelect
      label={t.campaign}
      required={!hasDefault}
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        ...(only === null ? [{ value: '', label: hasDefault ? t.defaultCampaign : t.selectACampaign }] : []),
        ...choices.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
