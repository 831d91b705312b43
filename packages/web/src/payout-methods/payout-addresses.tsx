import { isRoutingNumber, plainIban, problemOfIban } from '@affiliate/core/browser';
import { Anchor, Button, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Outputs } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { Branded } from '../components/cells.tsx';
import { ConfirmedButton } from '../components/confirmed-button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { language } from '../texts/language.ts';
import { ADDRESS_FIELDS, t, VALUES } from '../texts/payout-methods.ts';

/** Checks of parts of an address whose typing errors can be found without the service, by the names of the fields. */
const CHECKS = new Map<string, (text: string) => string | null>([
  ['routing_number', (text) => (isRoutingNumber(text.replaceAll(/\s/g, '')) ? null : t.wrongRoutingNumber)],
  [
    'iban',
    (text) => {
      const problem = problemOfIban(plainIban(text));
      if (problem === null) return null;
      return { malformed: t.malformedIban, country: t.countryOfIban, length: t.lengthOfIban, check_digits: t.checkDigitsOfIban }[
        problem
      ];
    },
  ],
]);

/** Returns what is wrong with a part of an address, or null. An empty part is left to the form. */
function problemOfField(name: string, text: string): string | null {
  return text.trim() === '' ? null : (CHECKS.get(name)?.(text) ?? null);
}

type Offered = Outputs['portal']['listPayoutMethods']['offered'][number];
type Method = Pick<Outputs['portal']['listPayoutMethods']['data'][number], 'id' | 'kind' | 'hint'>;
type Address = Record<string, string>;

interface PayoutAddressesProps {
  offered: readonly Offered[];
  methods: readonly Method[];
  mayChange: boolean;
  /** Level of the headings. */
  order: 2 | 3;
  /** A mutation with the kind and the address, and one with the id of a method. */
  save: UseMutationResult<unknown, unknown, { kind: string; address: Address }>;
  remove: UseMutationResult<unknown, unknown, { id: string }>;
  /** A mutation that opens an account at a service for the affiliate. */
  open: UseMutationResult<{ url: string }, unknown, { kind: string; country?: string }>;
  /** Shown below the fields, e.g. who is told of the change. */
  children?: ReactNode;
}

/** The accounts to which an affiliate is paid, by kind. Kinds that ask for an email address only have fields of their own on the pages. */
export function PayoutAddresses({ offered, methods, ...props }: PayoutAddressesProps) {
  return offered
    .filter(({ fields }) => fields.some(({ name }) => name !== 'email'))
    .map((each) => (
      <PayoutAddress key={each.kind} offered={each} method={methods.find(({ kind }) => kind === each.kind)} {...props} />
    ));
}

type PayoutAddressProps = Omit<PayoutAddressesProps, 'offered' | 'methods'> & { offered: Offered; method: Method | undefined };

function PayoutAddress({ offered, method, mayChange, order, save, remove, open, children }: PayoutAddressProps) {
  const [editing, dialog] = useDisclosure(false, { onClose: save.reset });
  const [opening, openDialog] = useDisclosure(false, { onClose: open.reset });
  const name = offered.name[language];
  return (
    <Paper withBorder p="md" radius="md">
      <Group justify="space-between">
        <Stack gap={0}>
          <Title order={order} size="h5">
            <Branded kind={offered.kind} name={name} />
          </Title>
          <Text size="sm">{method?.hint ?? t.noAccount}</Text>
          <Text size="sm" c="dimmed">
            {offered.terms_in_words[language]}
          </Text>
        </Stack>
        {mayChange && (
          <Group>
            {offered.opens_account && (
              <Button variant="default" size="compact-sm" aria-label={`${t.enterAtService}: ${name}`} onClick={openDialog.open}>
                {t.enterAtService}
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`${method ? t.change : t.enter}: ${name}`}
              onClick={dialog.open}
            >
              {method ? t.change : t.enter}
            </Button>
            {method && (
              <ConfirmedButton
                action={t.remove}
                subject={name}
                dangerous
                consequence={t.removeConsequence}
                mutation={remove}
                run={() => remove.mutateAsync({ id: method.id })}
              />
            )}
          </Group>
        )}
      </Group>
      {opening && (
        <OpenDialog kind={offered.kind} name={name} isNew={method === undefined} open={open} onClose={openDialog.close} />
      )}
      {editing && (
        <AddressDialog offered={offered} name={name} save={save} onClose={dialog.close}>
          {children}
        </AddressDialog>
      )}
    </Paper>
  );
}

interface OpenDialogProps extends Pick<PayoutAddressesProps, 'open'> {
  kind: string;
  name: string;
  /** True if the affiliate has no account yet. */
  isNew: boolean;
  onClose: () => void;
}

/** Opens an account at a service, if there is none, and leads to the page of the service where its owner enters what it asks for. */
function OpenDialog({ kind, name, isNew, open, onClose }: OpenDialogProps) {
  const form = useForm({ initialValues: { country: '' } });
  const send = ({ country }: typeof form.values) => {
    const code = country.trim().toUpperCase();
    open.mutate({ kind, ...(code !== '' && { country: code }) }, { onError: showFieldErrors(form) });
  };
  return (
    <FormDialog title={name} submit={t.makeLink} size="md" progress={open} onClose={onClose} onSubmit={form.onSubmit(send)}>
      <Text size="sm">{t.serviceAsks}</Text>
      {isNew && <TextInput label={t.countryOfAccount} autoComplete="country" {...form.getInputProps('country')} />}
      {open.data && (
        <Stack gap={0} role="status">
          <Text size="sm">{t.linkHint}</Text>
          <Anchor href={open.data.url} style={{ overflowWrap: 'anywhere' }}>
            {open.data.url}
          </Anchor>
        </Stack>
      )}
    </FormDialog>
  );
}

interface AddressDialogProps extends Pick<PayoutAddressesProps, 'save' | 'children'> {
  offered: Offered;
  name: string;
  onClose: () => void;
}

/** The form of an address, which is checked as it is filled. It starts empty, because addresses are never shown again. */
function AddressDialog({ offered: { kind, fields }, name, save, onClose, children }: AddressDialogProps) {
  const form = useForm<Address>({
    initialValues: Object.fromEntries(fields.map((field) => [field.name, field.values?.[0] ?? ''])),
    validateInputOnBlur: true,
    validate: Object.fromEntries(fields.map((field) => [field.name, (text: string) => problemOfField(field.name, text)])),
  });
  const send = (values: Address) => {
    const entered = fields
      .map((field) => [field.name, values[field.name]?.trim() ?? ''] as const)
      .filter(([, text]) => text !== '');
    save.mutate(
      { kind, address: Object.fromEntries(entered) },
      { onError: showFieldErrors(form, 'address'), onSuccess: onClose },
    );
  };
  return (
    <FormDialog title={name} submit={t.save} size="md" progress={save} onClose={onClose} onSubmit={form.onSubmit(send)}>
      {fields.map((field) => {
        const props = {
          label: ADDRESS_FIELDS[field.name] ?? field.name,
          required: field.required,
          autoComplete: 'off',
          ...form.getInputProps(field.name),
        };
        return field.values ? (
          <NativeSelect
            key={field.name}
            data={field.values.map((value) => ({ value, label: VALUES[value] ?? value }))}
            {...props}
          />
        ) : (
          <TextInput key={field.name} {...props} />
        );
      })}
      {children}
    </FormDialog>
  );
}
