import { ROLES, type Role } from '@affiliate/core/browser';
import { Group, NativeSelect, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { labelOf, optionsOf } from '../components/labels.ts';
import { Loaded } from '../components/loaded.tsx';
import { Moment } from '../components/moment.tsx';
import { notify, notifyFailure } from '../components/notices.tsx';
import { type Column, RecordTable } from '../components/record-table.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/members.ts';

type Member = Outputs['members']['list']['data'][number];

/** The columns of the list. The account's only owner can neither be removed nor get another role. */
const columns = (isOnlyOwner: (member: Member) => boolean): Column<Member>[] => [
  {
    header: t.member,
    cell: ({ name, email }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  { header: t.role, cell: (member) => <RoleSelect member={member} isOnlyOwner={isOnlyOwner(member)} /> },
  { header: t.secondFactor, cell: (member) => (member.has_second_factor ? t.on : t.off) },
  { header: t.joined, cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    header: t.actions,
    cell: (member) => (
      <Group gap="xs">
        {!isOnlyOwner(member) && <RemoveButton member={member} />}
        <RemoveSecondFactorButton member={member} />
      </Group>
    ),
  },
];

export function MemberList() {
  const members = useQuery(trpc.members.list.queryOptions({ limit: 100 }));
  return (
    <Loaded query={members}>
      {({ data }) => {
        const owners = data.filter(({ role }) => role === 'owner');
        const isOnlyOwner = ({ role }: Member) => role === 'owner' && owners.length === 1;
        return <RecordTable caption={t.members} columns={columns(isOnlyOwner)} rows={data} keyOf={({ user_id }) => user_id} />;
      }}
    </Loaded>
  );
}

/** Selects a member's role. Only owners may grant or remove the owner role. */
function RoleSelect({ member: { user_id, email, role }, isOnlyOwner }: { member: Member; isOnlyOwner: boolean }) {
  const self = useMember();
  const queryClient = useQueryClient();
  const update = useMutation(
    trpc.members.updateRole.mutationOptions({
      onSuccess: (changed) => {
        notify(t.roleChanged({ email, role: labelOf(changed.role) }));
        if (user_id === self.user.id) void queryClient.invalidateQueries({ queryKey: trpc.session.get.queryKey() });
      },
      onError: notifyFailure,
    }),
  );
  if (role === 'owner' && (isOnlyOwner || self.role !== 'owner')) return labelOf(role);
  return (
    <NativeSelect
      size="xs"
      aria-label={t.roleOf({ email })}
      value={role}
      disabled={update.isPending}
      data={optionsOf(ROLES.filter((choice) => choice !== 'owner' || self.role === 'owner'))}
      onChange={(event) => update.mutate({ user_id, role: event.currentTarget.value as Role })}
    />
  );
}

function RemoveButton({ member: { user_id, email, role } }: { member: Member }) {
  const self = useMember();
  const remove = useMutation(trpc.members.remove.mutationOptions());
  if (role === 'owner' && self.role !== 'owner') return null;
  return (
    <ConfirmedButton
      action={t.remove}
      subject={email}
      consequence={t.removeConsequence}
      dangerous
      mutation={remove}
      run={() => remove.mutateAsync({ user_id })}
    />
  );
}

/**
 * A button with which an owner turns off the second factor of another member, who has lost their authenticator app and recovery codes. Members
 * turn off their own second factor in their profile.
 */
function RemoveSecondFactorButton({ member: { user_id, email, has_second_factor } }: { member: Member }) {
  const self = useMember();
  const remove = useMutation(trpc.members.removeSecondFactor.mutationOptions());
  if (!has_second_factor || self.role !== 'owner' || user_id === self.user.id) return null;
  return (
    <ConfirmedButton
      action={t.removeSecondFactor}
      subject={email}
      consequence={t.removeSecondFactorConsequence}
      dangerous
      mutation={remove}
      run={() => remove.mutateAsync({ user_id })}
    />
  );
}
