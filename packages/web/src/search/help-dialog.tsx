import { Modal, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useFocusReturn } from '../components/focus-return.ts';
import { RecordTable } from '../components/record-table.tsx';
import { t } from '../texts/search.ts';
import { SHORTCUTS, hasSingleKeys, keepSingleKeys } from './shortcuts.ts';

/** Lists the keyboard shortcuts. Single-key shortcuts can be turned off, because speech input triggers them by accident. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const [enabled, setEnabled] = useState(hasSingleKeys);
  return (
    <Modal opened onClose={onClose} title={t.shortcuts} closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <RecordTable
          caption={t.shortcuts}
          columns={[
            { header: t.keys, cell: ([keys]) => keys },
            { header: t.action, cell: ([, action]) => action },
          ]}
          rows={SHORTCUTS}
          keyOf={([keys]) => keys}
        />
        <Switch
          label={t.singleKeys}
          checked={enabled}
          onChange={(event) => {
            setEnabled(event.currentTarget.checked);
            keepSingleKeys(event.currentTarget.checked);
          }}
        />
      </Stack>
    </Modal>
  );
}
