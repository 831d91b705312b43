import { NativeSelect, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import type { Outputs } from '../api/client.ts';
import { t } from '../texts/join.ts';

interface QuestionFieldProps {
  question: Outputs['join']['page']['questions'][number];
  input: GetInputPropsReturnType;
}

/** A field for the answer to a merchant's question on a sign-up page. */
export function QuestionField({ question: { label, kind, required, choices }, input }: QuestionFieldProps) {
  const shared = { label, required, withAsterisk: required, ...input };
  if (kind === 'choice')
    return (
      <NativeSelect
        data={[{ value: '', label: t.chooseAnswer }, ...choices.map((choice) => ({ value: choice, label: choice }))]}
        {...shared}
      />
    );
  return <TextInput type={kind === 'url' ? 'url' : 'text'} maxLength={2_000} {...shared} />;
}
