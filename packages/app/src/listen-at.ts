import { type HttpServer, listen } from '@affiliate/rest/monitoring';
import { isErrno } from './errno.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Starts an HTTP server.
 *
 * @param setting name of the setting with the port
 * @throws OperatorError if the address cannot be used
 */
export async function listenAt(
  host: string,
  setting: string,
  port: number,
  app: Parameters<typeof listen>[0],
): Promise<HttpServer> {
  try {
    return await listen(app, { host, port });
  } catch (error) {
    if (isErrno(error, 'EADDRINUSE'))
      throw new OperatorError(
        `Port ${port} on ${host} is already in use. If the service is already running, stop it first. Otherwise set ${setting} to another port.`,
      );
    if (isErrno(error, 'EACCES'))
      throw new OperatorError(
        `The operating system does not allow this process to listen on port ${port}. Set ${setting} to another port.`,
      );
    if (isErrno(error, 'EADDRNOTAVAIL', 'ENOTFOUND'))
      throw new OperatorError(
        `HOST ${host} is not an address of this machine. Set HOST to one of its addresses, e.g. 127.0.0.1.`,
      );
    throw error;
  }
}
