export { type HttpHost, mcpOverHttp } from './http.ts';
export { mcpOverStdio } from './stdio.ts';
export { createMcpServer } from './server.ts';
export type { Connection, Methods } from './methods.ts';
export type { Assistant } from './published-tool.ts';
