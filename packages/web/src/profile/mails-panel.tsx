import { Checkbox, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, trpc } from '../api/client.ts';
import { Loaded } from '../components/loaded.tsx';
import { notify } from '../components/notices.tsx';
import { Panel } from '../components/panel.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/profile.ts';

type Choice = Outputs['profile']['mails'];
type Mail = Choice['mails'][number];

/** Selects the emails that the person gets about the current account. */
export function MailsPanel() {
  const { account } = useMember();
  const choice = useQuery(trpc.profile.mails.queryOptions({ account_id: account.id }));
  return (
    <Panel title={t.mails}>
      <Loaded query={choice}>{(data) => <MailsForm key={account.id} choice={data} />}</Loaded>
    </Panel>
  );
}

function MailsForm({ choice }: { choice: Choice }) {
  const { account } = useMember();
  const [mails, setMails] = useState<string[]>(choice.mails);
  const save = useMutation(trpc.profile.chooseMails.mutationOptions({ onSuccess: () => notify(t.mailsChosen) }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ account_id: account.id, mails: mails as Mail[] });
      }}
    >
      <Stack>
        <Text size="sm">{t.mailsHint({ account: account.name })}</Text>
        <Checkbox.Group label={t.mailMeAbout} value={mails} onChange={setMails}>
          <Stack gap="xs" mt="xs">
            {choice.available.map((mail) => (
              <Checkbox key={mail} value={mail} label={t[`mail_${mail}`]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <SaveRow save={save} />
      </Stack>
    </form>
  );
}
