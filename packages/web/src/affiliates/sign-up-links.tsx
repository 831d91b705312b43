import { Anchor, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { useFocusReturn } from '../components/focus-return.ts';
import { Loaded } from '../components/loaded.tsx';
import { signUpUrl } from '../portal-settings/sign-up-url.ts';
import { t } from '../texts/affiliates.ts';
import { t as common } from '../texts/components.ts';

/** Shows the addresses at which affiliates sign up, one for each public campaign. */
export function SignUpLinks({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const settings = useQuery(trpc.portalSettings.get.queryOptions());
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ limit: 100 }));
  const open = campaigns.data?.data.filter((campaign) => !campaign.private) ?? [];
  return (
    <Modal opened onClose={onClose} title={t.signUpLinks} size="lg" closeButtonProps={{ 'aria-label': common.close }}>
      <Loaded query={settings}>
        {(portal) => (
          <Stack>
            <Text>{open.length === 0 && campaigns.data ? t.noSignUpLinks : t.signUpLinksExplained}</Text>
            {open.map(({ id, name, slug }) => (
              <Group key={id} justify="space-between" wrap="nowrap">
                <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                  <Text size="sm" fw={500}>
                    {name}
                  </Text>
                  <Anchor size="sm" href={signUpUrl(portal, slug)} target="_blank" rel="noreferrer">
                    {signUpUrl(portal, slug)}
                  </Anchor>
                </div>
                <CopyButton value={signUpUrl(portal, slug)} variant="filled" label={t.copySignUpLink({ name })} />
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}
