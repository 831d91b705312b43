import { Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trpc } from '../api/client.ts';
import { nameOf } from '../components/affiliate-link.tsx';
import { RecordLink } from '../components/cells.tsx';
import { Filled } from '../components/filled.tsx';
import { t } from '../texts/rewards.ts';
import type { Rule } from './rule-values.ts';

/** The names of the affiliates and links of rules, and the affiliate of each link, by id. Archived ones have no name. */
export interface Owners {
  affiliates: ReadonlyMap<string, string>;
  links: ReadonlyMap<string, { token: string; affiliateId: string }>;
}

/** Maximum number of names that are shown. */
const MAX_NAMES = 100;

/** Loads the names of the affiliates and links that rules are for. */
export function useOwners(rules: readonly Rule[]): Owners {
  const linkIds = idsIn(rules.map(({ link_id }) => link_id));
  const links = useQuery(trpc.links.list.queryOptions(linkIds === null ? skipToken : { ids: linkIds, limit: MAX_NAMES }));
  const found = links.data?.data ?? [];
  const ids = idsIn([...rules.map(({ affiliate_id }) => affiliate_id), ...found.map(({ affiliate_id }) => affiliate_id)]);
  const affiliates = useQuery(trpc.affiliates.list.queryOptions(ids === null ? skipToken : { ids, limit: MAX_NAMES }));
  return {
    affiliates: new Map(affiliates.data?.data.map((affiliate) => [affiliate.id, nameOf(affiliate)])),
    links: new Map(found.map(({ id, token, affiliate_id }) => [id, { token, affiliateId: affiliate_id }])),
  };
}

/** Returns each id once, or null if there are none. */
function idsIn(ids: readonly (string | null)[]): string[] | null {
  const found = [...new Set(ids.filter((id) => id !== null))];
  return found.length === 0 ? null : found.slice(0, MAX_NAMES);
}

/** Names the affiliate or the link that a rule is for, with a link to the affiliate’s page. Nothing for a rule of the whole campaign. */
export function RuleOwner({ rule: { affiliate_id, link_id }, owners }: { rule: Rule; owners: Owners }) {
  const link = link_id === null ? undefined : owners.links.get(link_id);
  const affiliateId = link?.affiliateId ?? affiliate_id;
  if (affiliateId === null) return link_id !== null && <Note>{t.forOneLink}</Note>;
  const affiliate = (
    <RecordLink to={`/affiliates/${affiliateId}`} inText>
      {owners.affiliates.get(affiliateId) ?? t.anAffiliate}
    </RecordLink>
  );
  if (link === undefined)
    return (
      <Note>
        <Filled text={link_id === null ? t.forAffiliate : t.forALinkOf} values={{ affiliate }} />
      </Note>
    );
  return (
    <Note>
      <Filled text={t.forLinkOf} values={{ link: link.token, affiliate }} />
    </Note>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
