import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '../texts/portal-settings.ts';

interface QuestionValues {
  label: string;
  kind: 'text' | 'choice' | 'url';
  required: boolean;
  /** The choices as text, one per line. */
  choices: string;
}

const MAX_QUESTIONS = 10;
const KINDS = [
  { value: 'text', label: t.kindText },
  { value: 'url', label: t.kindUrl },
  { value: 'choice', label: t.kindChoice },
];

/** Edits the questions that applicants must answer. */
export function QuestionFields<Values extends { questions: QuestionValues[] }>({ form }: { form: UseFormReturnType<Values> }) {
  const { questions } = form.values;
  const add = () => form.insertListItem('questions', { label: '', kind: 'text', required: false, choices: '' } as never);
  return (
    <Fieldset legend={t.questions}>
      <Stack>
        {questions.map(({ kind }, index) => (
          <Stack key={index} gap="xs">
            <TextInput
              label={t.question({ number: index + 1 })}
              required
              maxLength={200}
              {...form.getInputProps(`questions.${index}.label`)}
            />
            <Group align="flex-end">
              <NativeSelect label={t.kind} data={KINDS} {...form.getInputProps(`questions.${index}.kind`)} />
              <Checkbox label={t.required} {...form.getInputProps(`questions.${index}.required`, { type: 'checkbox' })} />
            </Group>
            {kind === 'choice' && (
              <Textarea label={t.choices} autosize minRows={2} {...form.getInputProps(`questions.${index}.choices`)} />
            )}
            <div>
              <Button variant="default" size="compact-sm" onClick={() => form.removeListItem('questions', index)}>
                {t.remove({ number: index + 1 })}
              </Button>
            </div>
          </Stack>
        ))}
        {questions.length < MAX_QUESTIONS && (
          <div>
            <Button variant="default" size="compact-sm" onClick={add}>
              {t.addQuestion}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  );
}
