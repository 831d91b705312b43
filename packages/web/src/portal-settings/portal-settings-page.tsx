import { Anchor, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trpc } from '../api/client.ts';
import { LoadedPage } from '../components/loaded-page.tsx';
import { Page } from '../components/page.tsx';
import { t } from '../texts/en/portal-settings.ts';
import { AssetsPanel } from './assets-panel.tsx';
import { BrandingForm } from './branding-form.tsx';
import { SettingsForm } from './settings-form.tsx';

/** Sign-up pages and the portal of affiliates. */
export function PortalSettingsPage() {
  const settings = useQuery(trpc.join.settings.queryOptions());
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  return (
    <LoadedPage query={settings}>
      {(data) => (
        <Page title={t.title} description={t.description}>
          <Panel title={t.branding}>
            <BrandingForm settings={data} />
          </Panel>
          <Panel title={t.signUpAndPortal}>
            <SettingsForm settings={data} />
          </Panel>
          <Panel title={t.assets}>
            <AssetsPanel />
          </Panel>
          {data.slug !== null && (
            <Stack gap="xs">
              <Title order={2} size="h4">
                {t.signUpPages}
              </Title>
              {campaigns.data?.data
                .filter((campaign) => !campaign.private)
                .map(({ id, slug, name }) => (
                  <Anchor key={id} href={`/join/${data.slug}/${slug}`}>
                    {name}
                  </Anchor>
                ))}
            </Stack>
          )}
        </Page>
      )}
    </LoadedPage>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" radius="md" maw={640} component="section">
      <Title order={2} size="h4" mb="md">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
