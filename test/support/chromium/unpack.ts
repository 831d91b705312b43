import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

// Runs as a separate program, because the package unpacks into the temporary directory of its process.
await chromium.executablePath();
await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))));
