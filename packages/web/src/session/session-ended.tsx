import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { discardEntries } from '../components/entries.ts';
import { t } from '../texts/session.ts';
import { onSignedInElsewhere, signInFirst } from './return-to.ts';

const ignored = () => undefined;

/**
 * Shown over a page with unsaved entries when the session of this person has ended. The person signs in in another tab, so that the page keeps its
 * entries, and nothing that was typed is stored.
 */
export function SessionEnded({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const returned = async () => {
      const session = await client.session.get.query().catch(() => null);
      if (session === null) return;
      if (session.user.id === userId) return queryClient.invalidateQueries();
      // Somebody else has signed in, and must not see this page.
      discardEntries();
      window.location.reload();
    };
    return onSignedInElsewhere(() => void returned());
  }, [queryClient, userId]);
  return (
    <Modal opened onClose={ignored} withCloseButton={false} title={t.sessionEnded}>
      <Stack>
        <Text>{t.entriesAreKept}</Text>
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              discardEntries();
              signInFirst(window.location.pathname + window.location.search);
            }}
          >
            {t.discardAndSignIn}
          </Button>
          <Button component="a" href="/sign-in?to=back" target="_blank">
            {t.signInInNewTab}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
