import { Button, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Page } from '../components/page.tsx';
import { roleAtLeast } from '@affiliate/core/browser';
import { useMember } from '../session/session.tsx';
import { Invite } from './invite.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MemberList } from './member-list.tsx';

/** Admins see members and invitations; members see only invitations. */
export function MembersPage() {
  const { role } = useMember();
  const [inviting, dialog] = useDisclosure();
  const mayInvite = roleAtLeast(role, 'admin');
  return (
    <Page
      title="Members and invitations"
      description="People with access to this account, and invitations to join it or to become an affiliate."
      actions={mayInvite && <Button onClick={dialog.open}>Invite</Button>}
    >
      {mayInvite && (
        <section aria-labelledby="members">
          <Title order={2} size="h4" id="members" mb="sm">
            Members
          </Title>
          <MemberList />
        </section>
      )}
      <section aria-labelledby="invitations">
        <Title order={2} size="h4" id="invitations" mb="sm">
          Invitations
        </Title>
        <InvitationList />
      </section>
      {inviting && <Invite onClose={dialog.close} />}
    </Page>
  );
}
