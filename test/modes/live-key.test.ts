import { walkFromMode } from './walk-modes.ts';

walkFromMode('live');
