import { useEffect } from 'react';
import { type Language, chooseLanguage, isOtherLanguage } from '../texts/language.ts';

/**
 * Reloads the page in the signed-in person's language if the page is in another language.
 *
 * @returns true if the page is about to be reloaded. In this case, render nothing, because parts of the page may remove a token from the
 * address, and the reloaded page needs the token.
 */
export function usePersonLanguage(ofPerson: Language | null): boolean {
  const isOther = isOtherLanguage(ofPerson);
  useEffect(() => {
    if (isOtherLanguage(ofPerson)) chooseLanguage(ofPerson);
  }, [ofPerson]);
  return isOther;
}
