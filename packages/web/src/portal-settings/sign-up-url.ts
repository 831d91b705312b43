import type { Outputs } from '../api/client.ts';

type Settings = Pick<Outputs['portalSettings']['get'], 'portal_host' | 'slug'>;

/** Returns the address of a campaign's sign-up page, under the host of the portal if there is one. */
export function signUpUrl({ portal_host, slug }: Settings, campaignSlug: string): string {
  const { protocol, port, origin } = window.location;
  const own = portal_host !== null && portal_host.verified_at !== null;
  return `${own ? `${protocol}//${portal_host.host}${port && `:${port}`}` : origin}/join/${slug}/${campaignSlug}`;
}
