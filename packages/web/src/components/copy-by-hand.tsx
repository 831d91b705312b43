import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { t } from '../texts/components.ts';
import { useFocusReturn } from './focus-return.ts';

/** Shows a text that the browser does not copy, selected, so that people can copy it by hand. */
export function CopyByHand({ value, onClose }: { value: string; onClose: () => void }) {
  useFocusReturn();
  return (
    <Modal opened onClose={onClose} title={t.copyByHand} closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <Textarea
          label={t.textToCopy}
          description={t.copyByHandExplained}
          readOnly
          rows={4}
          defaultValue={value}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
