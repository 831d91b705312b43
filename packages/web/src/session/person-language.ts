import { useEffect } from 'react';
import { type Language, chooseLanguage, isOtherLanguage } from '../texts/language.ts';

/**
 * Changes the page's language to that of the signed-in person, which reloads the page.
 *
 * @returns true if the page is about to be reloaded. Show nothing of the page then, because its parts may remove a token from the address
 * that the reloaded page needs.
 */
export function usePersonLanguage(ofPerson: Language | null): boolean {
  const isOther = isOtherLanguage(ofPerson);
  useEffect(() => {
    if (isOtherLanguage(ofPerson)) chooseLanguage(ofPerson);
  }, [ofPerson]);
  return isOther;
}
