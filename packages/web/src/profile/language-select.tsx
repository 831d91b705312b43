import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../api/client.ts';
import { Failure } from '../components/failure.tsx';
import { LANGUAGES, type Language, chooseLanguage, language } from '../texts/language.ts';
import { t } from '../texts/languages.ts';

/** Selects a person's language, which applies to the pages in every browser and to emails. */
export function LanguageSelect() {
  const update = useMutation(
    trpc.profile.update.mutationOptions({ onSuccess: ({ language: chosen }) => chosen !== null && chooseLanguage(chosen) }),
  );
  return (
    <>
      <NativeSelect
        label={t.languageOfPages}
        description={t.hint}
        value={language}
        disabled={update.isPending}
        onChange={({ currentTarget: { value } }) => update.mutate({ language: value as Language })}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      {update.isError && <Failure error={update.error} />}
    </>
  );
}
