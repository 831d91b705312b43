import { Button, Group, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../texts/components.ts';
import { Failure } from './failure.tsx';

interface SaveRowProps {
  save: Pick<UseMutationResult<unknown, unknown, never>, 'error' | 'isError' | 'isSuccess' | 'isPending'>;
  /** Shown instead of the mutation's error. */
  refusal?: ReactNode;
  /** True to show a message when the form has been saved, until somebody changes it. For forms that show no notification. */
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
        {saysSaved && <Saved isSaved={save.isSuccess} />}
      </Group>
    </>
  );
}

/** Says that the form around it is saved, until somebody types into it. */
function Saved({ isSaved }: { isSaved: boolean }) {
  const status = useRef<HTMLParagraphElement>(null);
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    const form = status.current?.closest('form');
    const change = () => setChanged(true);
    const submit = () => setChanged(false);
    form?.addEventListener('input', change);
    form?.addEventListener('submit', submit);
    return () => {
      form?.removeEventListener('input', change);
      form?.removeEventListener('submit', submit);
    };
  }, []);
  // Rendered before it has a text, because screen readers announce only changes.
  return (
    <Text ref={status} role="status">
      {isSaved && !isChanged ? t.saved : ''}
    </Text>
  );
}
