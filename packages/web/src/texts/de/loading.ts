import type { TranslationOf } from '../catalogue.ts';
import type { t } from '../en/loading.ts';

export const loading: TranslationOf<typeof t> = {
  loading: 'Wird geladen',
};
