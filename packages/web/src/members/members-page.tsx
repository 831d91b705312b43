import { Button, Title } from '@mantine/core';
import { useAct } from '../components/act.ts';
import { Page } from '../components/page.tsx';
import { OutboxNotice } from '../outbox/outbox-notice.tsx';
import { useMay } from '../session/session.tsx';
import { t } from '../texts/members.ts';
import { InvitationList } from './invitation-list.tsx';
import { Invite } from './invite.tsx';
import { MemberList } from './member-list.tsx';

/** Shows invitations and, to admins, members. */
export function MembersPage() {
  const may = useMay();
  const act = useAct({ invite: 'invitations' });
  const mayInvite = may('invitations');
  return (
    <Page
      title={t.membersAndInvitations}
      description={t.description}
      actions={mayInvite && <Button onClick={() => act.ask('invite')}>{t.invite}</Button>}
    >
      <OutboxNotice />
      {mayInvite && (
        <section aria-labelledby="members">
          <Title order={2} size="h4" id="members" mb="sm">
            {t.members}
          </Title>
          <MemberList />
        </section>
      )}
      <section aria-labelledby="invitations">
        <Title order={2} size="h4" id="invitations" mb="sm">
          {t.invitations}
        </Title>
        <InvitationList />
      </section>
      {act.current === 'invite' && <Invite onClose={act.end} />}
    </Page>
  );
}
