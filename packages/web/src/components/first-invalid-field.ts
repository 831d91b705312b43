import { useEffect } from 'react';
import { serviceErrorOf } from '../api/service-error.ts';

/** Moves the focus to the first invalid field of the open form, so that a screen reader reads the field's error. */
export function useFirstInvalidField(error: unknown, atFields: boolean): void {
  useEffect(() => {
    if (!atFields) return;
    const { fields } = serviceErrorOf(error);
    const inputs = [...document.querySelectorAll<HTMLElement>('form [data-path]')];
    inputs.find(({ dataset }) => (dataset['path'] ?? '') in fields)?.focus();
  }, [error, atFields]);
}
