import { NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../api/client.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { Failure } from '../components/failure.tsx';
import { t } from '../texts/rewards.ts';

/** The campaign, the affiliate or the link of a new rule. */
export interface Scope {
  of: 'campaign' | 'affiliate' | 'link';
  affiliate: string | null;
  link: string | null;
}

export const WHOLE_CAMPAIGN: Scope = { of: 'campaign', affiliate: null, link: null };

/** An affiliate who is the only one that a new rule may be for. */
export interface Owner {
  id: string;
  name: string;
}

/** Returns the scope of all sales of an affiliate. */
export function wholeOf({ id }: Owner): Scope {
  return { of: 'affiliate', affiliate: id, link: null };
}

/** Returns the fields of a new rule that limit it to an affiliate or a link, or null while none is chosen. */
export function scopeOf({ of, affiliate, link }: Scope, mayBeLink: boolean): { affiliate_id?: string; link_id?: string } | null {
  if (of === 'campaign') return {};
  if (of === 'link' && mayBeLink) return link === null ? null : { link_id: link };
  return affiliate === null ? null : { affiliate_id: affiliate };
}

const DELAY_MS = 200;
/** Number of affiliates and links that are offered. */
const OFFERED = { affiliates: 10, links: 100 };

interface RuleScopeProps {
  campaignId: string;
  /** Set if the rule is for this affiliate or one of their links. */
  owner: Owner | undefined;
  /** False for rules that cannot be for one link. */
  mayBeLink: boolean;
  scope: Scope;
  onChange: (scope: Scope) => void;
}

/** Chooses the campaign, one affiliate or one link for a new rule. */
export function RuleScope({ campaignId, owner, mayBeLink, scope, onChange }: RuleScopeProps) {
  const of = scope.of === 'link' && !mayBeLink ? 'affiliate' : scope.of;
  return (
    <>
      <NativeSelect
        label={t.ruleFor}
        data={[
          ...(owner === undefined
            ? [
                { value: 'campaign', label: t.wholeCampaign },
                { value: 'affiliate', label: t.oneAffiliate },
              ]
            : [{ value: 'affiliate', label: owner.name }]),
          ...(mayBeLink ? [{ value: 'link', label: t.oneLink }] : []),
        ]}
        value={of}
        onChange={({ currentTarget }) => onChange({ ...scope, of: currentTarget.value as Scope['of'] })}
      />
      {of !== 'campaign' && owner === undefined && (
        <FindAffiliate
          campaignId={campaignId}
          chosen={scope.affiliate}
          onChoose={(affiliate) => onChange({ ...scope, affiliate, link: null })}
        />
      )}
      {of === 'link' && scope.affiliate !== null && (
        <ChooseLink
          campaignId={campaignId}
          affiliateId={scope.affiliate}
          chosen={scope.link}
          onChoose={(link) => onChange({ ...scope, link })}
        />
      )}
    </>
  );
}

interface FindAffiliateProps {
  campaignId: string;
  chosen: string | null;
  onChoose: (id: string | null) => void;
}

function FindAffiliate({ campaignId, chosen, onChoose }: FindAffiliateProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), DELAY_MS);
  const filters = { campaign_id: campaignId, limit: OFFERED.affiliates, search };
  const found = useQuery(
    trpc.affiliates.list.queryOptions(search === '' ? skipToken : filters, { placeholderData: keepPreviousData }),
  );
  const affiliates = search === '' ? [] : (found.data?.data ?? []);
  return (
    <>
      <TextInput
        label={t.findAffiliate}
        description={t.findAffiliateHint}
        maxLength={254}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          onChoose(null);
        }}
      />
      {found.isError && <Failure error={found.error} />}
      {affiliates.length > 0 ? (
        <Radio.Group label={t.affiliate} value={chosen ?? ''} onChange={onChoose}>
          <Stack gap="xs" mt={4}>
            {affiliates.map((affiliate) => (
              <Radio key={affiliate.id} value={affiliate.id} label={labelOf(nameOf(affiliate), affiliate.email)} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        search !== '' && found.isSuccess && <Text size="sm">{t.noAffiliateFound}</Text>
      )}
    </>
  );
}

function labelOf(name: string, email: string): string {
  return name === email ? email : `${name}, ${email}`;
}

interface ChooseLinkProps {
  campaignId: string;
  affiliateId: string;
  chosen: string | null;
  onChoose: (id: string | null) => void;
}

function ChooseLink({ campaignId, affiliateId, chosen, onChoose }: ChooseLinkProps) {
  const links = useQuery(
    trpc.links.list.queryOptions({ campaign_id: campaignId, affiliate_id: affiliateId, limit: OFFERED.links }),
  );
  if (links.isError) return <Failure error={links.error} />;
  return (
    <NativeSelect
      label={t.link}
      data={[
        { value: '', label: t.chooseLink },
        ...(links.data?.data ?? []).map(({ id, token, url }) => ({ value: id, label: `${token} → ${url}` })),
      ]}
      value={chosen ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value === '' ? null : currentTarget.value)}
    />
  );
}
