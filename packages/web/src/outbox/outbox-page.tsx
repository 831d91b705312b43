import { Accordion, Anchor, Stack, Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Ago } from '../lists/ago.tsx';
import { RequireRole } from '../session/require-account.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/outbox.ts';
import { useUnsentMails } from './outbox-notice.tsx';

type UnsentMails = Outputs['account']['unsentMails'];

const LINK = /(https?:\/\/\S+)/;

/** Shows owners the emails that were not sent because no mail server is configured. */
export function OutboxPage() {
  const { role } = useMember();
  const unsent = useUnsentMails();
  if (role !== 'owner') return <RequireRole role="owner" />;
  return (
    <Page title={t.outbox} description={unsent.data?.mails ? t.description : undefined}>
      <Loaded query={unsent}>{(data) => <Mails {...data} />}</Loaded>
    </Page>
  );
}

function Mails({ mails, reason }: UnsentMails) {
  if (reason === 'other_owners')
    return (
      <EmptyState picture="mails" title={t.shared}>
        {t.sharedExplained}
      </EmptyState>
    );
  if (mails === null)
    return (
      <EmptyState picture="mails" title={t.sent}>
        {t.sentExplained}
      </EmptyState>
    );
  if (mails.length === 0)
    return (
      <EmptyState picture="mails" title={t.none}>
        {t.noneExplained}
      </EmptyState>
    );
  return (
    <Accordion maw={720} variant="separated" order={2}>
      {mails.map(({ id, to, subject, text, sent_at }) => (
        <Accordion.Item key={id} value={id}>
          <Accordion.Control>
            <Stack gap={0}>
              <Text>{subject}</Text>
              <Text size="sm" c="dimmed">
                {to} · <Ago at={sent_at} />
              </Text>
            </Stack>
          </Accordion.Control>
          <Accordion.Panel>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text.split(LINK).map((part, index) =>
                LINK.test(part) ? (
                  <Anchor key={index} href={part} rel="noreferrer" inherit>
                    {part}
                  </Anchor>
                ) : (
                  part
                ),
              )}
            </Text>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
