import { Text, Textarea, type TextareaProps } from '@mantine/core';
import { t } from '../texts/commissions.ts';

/** Says what voiding does, with a field for the reason. */
export function VoidReason(field: TextareaProps) {
  return (
    <>
      <Text>{t.voidConsequence}</Text>
      <Textarea label={t.reason} description={t.reasonHint} maxLength={500} data-autofocus {...field} />
    </>
  );
}
