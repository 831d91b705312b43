import { Alert, Button, Group } from '@mantine/core';
import { useEffect } from 'react';
import { serviceErrorOf } from '../api/service-error.ts';
import { isShownAtFields } from '../api/show-field-errors.ts';
import { pathOf } from '../records/paths.ts';
import { t } from '../texts/components.ts';
import { readableParts, shortId } from './readable-message.ts';

/** Shows an error from the service, unless the fields of a form show all of it. */
export function Failure({ error, retry, label = t.tryAgain }: { error: unknown; retry?: () => void; label?: string }) {
  const atFields = isShownAtFields(error);
  useFirstInvalidField(error, atFields);
  if (atFields) return null;
  const { message } = serviceErrorOf(error);
  return (
    <Alert color="red" role="alert" title={<Message text={message} />} my="md">
      {retry && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={retry}>
            {label}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** Shows a message of the service. Records that it names by their ids become links. */
function Message({ text }: { text: string }) {
  return readableParts(text).map((part) => {
    if ('text' in part) return part.text;
    const path = pathOf(part.id);
    const label = shortId(part.id);
    return path === null ? (
      <span key={part.id}>{label}</span>
    ) : (
      <a key={part.id} href={path}>
        {label}
      </a>
    );
  });
}

/** Moves the focus to the first invalid field of the open form, so that a screen reader reads the field's error. */
function useFirstInvalidField(error: unknown, atFields: boolean): void {
  useEffect(() => {
    if (!atFields) return;
    const { fields } = serviceErrorOf(error);
    const inputs = [...document.querySelectorAll<HTMLElement>('form [data-path]')];
    inputs.find(({ dataset }) => (dataset['path'] ?? '') in fields)?.focus();
  }, [error, atFields]);
}
