import { useEffect } from 'react';
import { type Language, chooseLanguage, isOtherLanguage } from '../texts/language.ts';

/**
 * Takes over the language of the person who has signed in.
 *
 * @returns whether the page is about to be loaded again. Nothing of it may be shown then: a part that is shown takes the token out of the
 * address.
 */
export function usePersonLanguage(ofPerson: Language | null): boolean {
  const isOther = isOtherLanguage(ofPerson);
  useEffect(() => {
    if (isOtherLanguage(ofPerson)) chooseLanguage(ofPerson);
  }, [ofPerson]);
  return isOther;
}
