export { type CallLimits, mcpOverHttp } from './http.ts';
export { type StdioOptions, mcpOverStdio } from './stdio.ts';
export { type Connection, createMcpServer } from './server.ts';
export type { Assistant } from './published-tool.ts';
