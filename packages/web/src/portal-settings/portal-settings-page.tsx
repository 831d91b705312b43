import { Anchor, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trpc } from '../api/client.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Page } from '../components/page.tsx';
import { Panels } from '../components/panels.tsx';
import { t } from '../texts/portal-settings.ts';
import { AssetsPanel } from './assets-panel.tsx';
import { BrandingForm } from './branding-form.tsx';
import { HostForm } from './host-form.tsx';
import { SettingsForm } from './settings-form.tsx';
import { signUpUrl } from './sign-up-url.ts';

const POLL_MS = 5_000;

/** Settings of the sign-up pages and of the affiliates' portal. */
export function PortalSettingsPage() {
  const settings = useQuery(
    trpc.portalSettings.get.queryOptions(undefined, {
      // Polls until the host name is verified. A worker checks a new host name within seconds.
      refetchInterval: ({ state: { data } }) => (data && data.portal_host?.verified_at === null ? POLL_MS : false),
    }),
  );
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  return (
    <LoadedPage query={settings}>
      {(data) => (
        <Page title={t.title} description={t.description}>
          <Panels>
            <Panel title={t.branding}>
              <BrandingForm settings={data} />
            </Panel>
            <Panel title={t.signUpAndPortal}>
              <SettingsForm settings={data} />
            </Panel>
            <Panel title={t.ownHost}>
              <HostForm portalHost={data.portal_host} />
            </Panel>
            <Panel title={t.assets}>
              <AssetsPanel />
            </Panel>
            <Panel title={t.signUpPages}>
              <Stack gap="xs">
                {campaigns.data?.data
                  .filter((campaign) => !campaign.private)
                  .map(({ id, slug, name }) => (
                    <Anchor key={id} href={signUpUrl(data, slug)}>
                      {name}
                    </Anchor>
                  ))}
              </Stack>
            </Panel>
          </Panels>
        </Page>
      )}
    </LoadedPage>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" radius="md" component="section">
      <Title order={2} size="h4" mb="md">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
