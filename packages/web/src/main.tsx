import { askForFirstView, loadFirstView } from './first-view.ts';
import { loadTexts } from './texts/catalogue.ts';

askForFirstView();
// Loads the texts first, because the modules of pages read them while they are evaluated.
await loadTexts({ de: () => import('./texts/german.ts') }, { de: () => import('./texts/german-later.ts') });
loadFirstView();
await import('./app.tsx');
