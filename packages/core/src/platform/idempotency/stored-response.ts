import type { Ctx } from '../call/context.ts';

/** A response as it is stored for replays. Status null: the one that the procedure declares. */
export interface StoredResponse<Body = unknown> {
  status: number | null;
  body: Body;
}

/** Maps what a service returns to the response. Given by the procedure: services know no statuses. */
export type ToResponse<Result, Body> = (result: Result) => StoredResponse<Body>;

/** Responds with a response: returns its body, and sets the status in `ctx.reply`. */
export function respondWith<Body>({ reply }: Pick<Ctx, 'reply'>, { status, body }: StoredResponse<Body>): Body {
  if (status !== null) reply.status = status;
  return body;
}

/** Responds with a stored response, and marks the reply as a replay. */
export function replayResponse<Body>(ctx: Pick<Ctx, 'reply'>, response: StoredResponse<Body>): Body {
  ctx.reply.replayed = true;
  return respondWith(ctx, response);
}
