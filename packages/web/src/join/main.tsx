import { loadTexts } from '../texts/catalogue.ts';

// Loads the texts first, because the modules of pages read them while they are evaluated.
await loadTexts({ de: () => import('../texts/german.ts') });
await import('./app.tsx');
