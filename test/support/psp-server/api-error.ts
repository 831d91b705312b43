/** A refusal in Stripe's form: `{ error: { type, code, message, param } }`. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    super(error.message);
    this.status = status;
    this.type = error.type;
    this.code = error.code;
    this.param = error.param;
  }

  toJSON() {
    return {
      error: {
        type: this.type,
        message: this.message,
        ...(this.code && { code: this.code, doc_url: `https://stripe.com/docs/error-codes/${this.code}` }),
        ...(this.param && { param: this.param }),
      },
    };
  }
}

export function invalidRequest(message: string, detail: { code?: string; param?: string } = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...detail });
}

export function noSuch(what: string, id: string, param = 'id'): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
}

export function unauthorized(key: string | undefined): ApiError {
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`
    : 'You did not provide an API key.';
  return new ApiError(401, { type: 'invalid_request_error', message });
}
