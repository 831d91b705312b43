export { createApp } from './app.ts';
export { type HttpServer, listen } from './server.ts';
