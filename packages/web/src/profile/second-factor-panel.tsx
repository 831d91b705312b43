import { Alert, Button, Code, Group, List, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type NewSecondFactor, auth } from '../api/auth.ts';
import { trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { notify } from '../components/notices.tsx';
import { Panel } from '../components/panel.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { t } from '../texts/profile.ts';

type SecondFactorDialog = 'setUp' | 'newCodes' | 'remove';

/** Sets up and turns off the second factor: codes from an authenticator app. Calls `onChange` after it was turned on or off. */
export function SecondFactorPanel({ onChange }: { onChange?: () => void }) {
  const profile = useQuery(trpc.profile.get.queryOptions());
  const [requested, ask] = useState<SecondFactorDialog | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => ask(null);
  const change = (made: string[] | null) => {
    setCodes(made);
    onChange?.();
  };
  return (
    <Panel title={t.secondFactor}>
      <Loaded query={profile}>
        {({ has_second_factor, has_password }) => (
          <Stack>
            <Text size="sm">{has_second_factor ? t.secondFactorOn : t.secondFactorOff}</Text>
            {codes && <RecoveryCodes codes={codes} />}
            <Group>
              {has_second_factor ? (
                <>
                  <Button variant="default" onClick={() => ask('newCodes')}>
                    {t.newRecoveryCodes}
                  </Button>
                  <Button variant="default" onClick={() => ask('remove')}>
                    {t.removeSecondFactor}
                  </Button>
                </>
              ) : (
                <Button variant="default" disabled={!has_password} onClick={() => ask('setUp')}>
                  {t.setUpSecondFactor}
                </Button>
              )}
            </Group>
            {!has_password && <Text size="sm">{t.passwordFirst}</Text>}
            {requested === 'setUp' && <SetUpDialog onClose={close} onDone={change} />}
            {requested === 'newCodes' && <NewCodesDialog onClose={close} onDone={setCodes} />}
            {requested === 'remove' && <RemoveDialog onClose={close} onDone={() => change(null)} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

/** Shows recovery codes. The service does not show them a second time. */
function RecoveryCodes({ codes }: { codes: string[] }) {
  const text = codes.join('\n');
  return (
    <Alert color="yellow" title={t.keepRecoveryCodes}>
      <Stack gap="xs">
        <Text size="sm">{t.recoveryCodesHint}</Text>
        <Code block aria-label={t.recoveryCodes} data-testid="recovery-codes">
          {text}
        </Code>
        <Group>
          <CopyButton value={text} size="compact-sm" />
        </Group>
      </Stack>
    </Alert>
  );
}

interface DialogProps {
  onClose: () => void;
  onDone: (codes: string[]) => void;
}

/** Asks for the password, then shows the QR code and asks for the first code. */
function SetUpDialog({ onClose, onDone }: DialogProps) {
  const [made, setMade] = useState<NewSecondFactor | null>(null);
  if (made === null)
    return <PasswordDialog title={t.setUpSecondFactor} run={auth.setUpSecondFactor} onClose={onClose} onDone={setMade} />;
  return <FirstCodeDialog made={made} onClose={onClose} onDone={onDone} />;
}

function FirstCodeDialog({ made, onClose, onDone }: DialogProps & { made: NewSecondFactor }) {
  const form = useForm({ initialValues: { code: '' } });
  const confirm = useMutation({
    mutationFn: auth.confirmSecondFactor,
    onError: showFieldErrors(form),
    onSuccess: () => {
      onDone(made.backupCodes);
      notify(t.secondFactorIsOn);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t.setUpSecondFactor}
      submit={t.turnOn}
      progress={confirm}
      onClose={onClose}
      onSubmit={form.onSubmit(({ code }) => confirm.mutate({ code: code.replaceAll(/\s/g, '') }))}
    >
      <List type="ordered" size="sm">
        <List.Item>{t.scanCode}</List.Item>
        <List.Item>{t.enterFirstCode}</List.Item>
      </List>
      <QrCode text={made.totpURI} label={t.qrCode} />
      <Text size="sm">
        {t.keyByHand} <Code data-testid="totp-secret">{new URL(made.totpURI).searchParams.get('secret')}</Code>
      </Text>
      <TextInput
        label={t.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
        withAsterisk={false}
        {...form.getInputProps('code')}
      />
    </FormDialog>
  );
}

function NewCodesDialog({ onClose, onDone }: DialogProps) {
  return (
    <PasswordDialog
      title={t.newRecoveryCodes}
      hint={t.formerCodesEnd}
      run={auth.newRecoveryCodes}
      onClose={onClose}
      onDone={({ backupCodes }) => {
        onDone(backupCodes);
        onClose();
      }}
    />
  );
}

function RemoveDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const removed = () => {
    onDone();
    notify(t.secondFactorIsOff);
    onClose();
  };
  return (
    <PasswordDialog title={t.removeSecondFactor} run={auth.removeSecondFactor} onClose={onClose} onDone={removed} dangerous />
  );
}

interface PasswordDialogProps<Answer> {
  title: string;
  hint?: string;
  dangerous?: boolean;
  run: (proof: { password: string }) => Promise<Answer>;
  onClose: () => void;
  onDone: (answer: Answer) => void;
}

/** Asks for the password, and then makes a change that requires it. */
function PasswordDialog<Answer>({ title, hint, dangerous = false, run, onClose, onDone }: PasswordDialogProps<Answer>) {
  const form = useForm({ initialValues: { password: '' } });
  const prove = useMutation({ mutationFn: run, onError: showFieldErrors(form), onSuccess: onDone });
  return (
    <FormDialog
      title={title}
      submit={t.continue}
      size="md"
      dangerous={dangerous}
      progress={prove}
      onClose={onClose}
      onSubmit={form.onSubmit((proof) => prove.mutate(proof))}
    >
      {hint !== undefined && <Text size="sm">{hint}</Text>}
      <PasswordInput
        label={t.currentPassword}
        autoComplete="current-password"
        required
        withAsterisk={false}
        {...form.getInputProps('password')}
      />
    </FormDialog>
  );
}
