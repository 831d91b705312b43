import { type Answer, DoubleServer } from './double-server.ts';

/** Number of different pages in a list that goes round. */
export const ROUND = 3;

/** Answers every request with a page, of which only three are different. */
export class Carousel extends DoubleServer {
  pageAt: (turn: number) => unknown = () => ({});

  protected answer({ pathname }: URL): Answer {
    if (pathname.endsWith('/access_token')) return [200, { access_token: 'token', expires_in: 3_600 }];
    return [200, this.pageAt(this.requests.length % ROUND)];
  }
}
