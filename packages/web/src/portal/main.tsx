import { askForStart } from './early-start.ts';

askForStart();
await import('./app.tsx');
