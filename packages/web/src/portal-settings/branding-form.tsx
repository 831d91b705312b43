import { textColorOn } from '@affiliate/core/browser';
import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type Outputs, trpc } from '../api/client.ts';
import { showFieldErrors } from '../api/show-field-errors.ts';
import { uploadLogo } from '../api/upload-file.ts';
import { Failure } from '../components/failure.tsx';
import { FileButton } from '../components/file-button.tsx';
import { notify } from '../components/notices.tsx';
import { SaveRow } from '../components/save-row.tsx';
import { t } from '../texts/portal-settings.ts';

type Settings = Outputs['portalSettings']['get'];

/** The service's own color, shown until the account has chosen one. */
const DEFAULT_COLOR = '#1c4ed8';
const COLOR = /^#[0-9a-f]{6}$/i;

/** Edits the logo, name and color that affiliates see. */
export function BrandingForm({ settings: { brand, brand_name } }: { settings: Settings }) {
  const form = useForm({ initialValues: { brand_name: brand_name ?? '', brand_color: brand.color ?? '' } });
  const update = useMutation(
    trpc.portalSettings.update.mutationOptions({
      onError: showFieldErrors(form),
      onSuccess: () => notify(t.brandingSaved),
    }),
  );
  const color = form.values.brand_color.trim();
  const shown = COLOR.test(color) ? color : DEFAULT_COLOR;
  return (
    <Stack>
      <Logo path={brand.logo_path} />
      <form
        onSubmit={form.onSubmit((values) =>
          update.mutate({ brand_name: values.brand_name.trim() || null, brand_color: values.brand_color.trim() || null }),
        )}
      >
        <Stack>
          <TextInput
            label={t.brandName}
            description={t.brandNameExplained}
            maxLength={100}
            {...form.getInputProps('brand_name')}
          />
          <Group align="flex-end">
            <TextInput
              label={t.color}
              description={t.colorExplained}
              placeholder={DEFAULT_COLOR}
              maxLength={7}
              {...form.getInputProps('brand_color')}
            />
            <Box component="span" bg={shown} c={textColorOn(shown)} px="md" py="xs" bdrs="sm">
              {t.colorExample}
            </Box>
          </Group>
          <SaveRow save={update} />
        </Stack>
      </form>
    </Stack>
  );
}

function Logo({ path }: { path: string | null }) {
  const set = useMutation({ mutationFn: uploadLogo, onSuccess: () => notify(t.logoSaved) });
  const remove = useMutation(trpc.portalSettings.removeLogo.mutationOptions({ onSuccess: () => notify(t.logoRemoved) }));
  return (
    <Stack gap="xs">
      <Group>
        {path !== null && <img src={path} alt={t.logo} height={40} />}
        <FileButton
          label={path === null ? t.uploadLogo : t.replaceLogo}
          accept="image/png,image/jpeg,image/webp"
          isBusy={set.isPending}
          onChoose={set.mutate}
        />
        {path !== null && (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t.removeLogo}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t.logoExplained}
      </Text>
      {set.isError && <Failure error={set.error} />}
      {remove.isError && <Failure error={remove.error} />}
    </Stack>
  );
}
