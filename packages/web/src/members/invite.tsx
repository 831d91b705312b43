import { ROLES, type Role } from '@affiliate/core/browser';
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { CampaignSelect } from '../components/campaign-select.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { optionsOf } from '../components/labels.ts';
import { notify } from '../components/notices.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/members.ts';

interface Values {
  kind: 'member' | 'affiliate';
  email: string;
  role: Role;
  campaign_id: string;
}

const INITIAL: Values = { kind: 'member', email: '', role: 'member', campaign_id: '' };

/** Invites a person by email: as a team member or as an affiliate, or only as `kind`. */
export function Invite({ kind: only, onClose }: { kind?: Values['kind']; onClose: () => void }) {
  const self = useMember();
  const form = useForm({ initialValues: { ...INITIAL, ...(only && { kind: only }) } });
  const invite = useMutation(
    trpc.invitations.create.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: ({ email }) => {
        notify(t.invitationSentTo({ email }));
        onClose();
      },
    }),
  );
  const { kind } = form.values;
  return (
    <FormDialog
      title={only === 'affiliate' ? t.inviteAffiliate : t.invite}
      submit={t.sendInvitation}
      progress={invite}
      onClose={onClose}
      onSubmit={form.onSubmit(({ kind, email, role, campaign_id }) =>
        invite.mutate(kind === 'member' ? { kind, email, role } : { kind, email, campaign_id }),
      )}
    >
      {only === undefined && (
        <SegmentedControl
          aria-label={t.inviteAs}
          data={[
            { value: 'member', label: t.teamMember },
            { value: 'affiliate', label: t.affiliate },
          ]}
          {...form.getInputProps('kind')}
        />
      )}
      <TextInput label={t.email} type="email" required data-autofocus {...form.getInputProps('email')} />
      {kind === 'member' ? (
        <NativeSelect
          label={t.role}
          description={t.membersViewTheProgramAnd}
          data={optionsOf(ROLES.filter((role) => role !== 'owner' || self.role === 'owner'))}
          {...form.getInputProps('role')}
        />
      ) : (
        <CampaignSelect {...form.getInputProps('campaign_id')} />
      )}
    </FormDialog>
  );
}
