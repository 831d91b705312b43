import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../texts/components.ts';
import { Failure } from './failure.tsx';

interface SaveRowProps {
  save: Pick<UseMutationResult<unknown, unknown, never>, 'error' | 'isError' | 'isSuccess' | 'isPending'>;
  /** Shown instead of the mutation's error. */
  refusal?: ReactNode;
  /** True to show a message when the form has been saved. For forms that show no notification. */
  saysSaved?: boolean;
}

/** The end of a form: its save button, and the result of the last attempt to save. */
export function SaveRow({ save, refusal, saysSaved = false }: SaveRowProps) {
  return (
    <>
      {save.isError && (refusal ?? <Failure error={save.error} />)}
      <Group>
        <Button type="submit" loading={save.isPending}>
          {t.save}
        </Button>
        {/* Rendered before it has a text, because screen readers announce only changes. */}
        {saysSaved && <Text role="status">{save.isSuccess ? t.saved : ''}</Text>}
      </Group>
    </>
  );
}
