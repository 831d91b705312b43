import type { oas31 } from 'zod-openapi';

/** Format of collections that Postman, Bruno and Insomnia import. */
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * Returns a contract as a collection of requests, with a folder for each tag. Its variables are `base_url`, `api_key` and `account_id`. Operations of
 * signed-in people and of browsers are left out.
 */
export function collectionOf(document: oas31.OpenAPIObject): object {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas31.OperationObject>)
      .filter(([, { security }]) => security === undefined)
      .map(([method, operation]) => ({ folder: operation.tags![0]!, request: requestOf(method.toUpperCase(), path, operation) })),
  );
  const folders = [...Map.groupBy(operations, ({ folder }) => folder)];
  return {
    info: { name: document.info.title, description: document.info.description, schema: FORMAT },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: document.servers![0]!.url },
      { key: 'api_key', value: '' },
      { key: 'account_id', value: '' },
    ],
    item: folders.map(([name, requests]) => ({
      name,
      description: document.tags?.find((tag) => tag.name === name)?.description,
      item: requests.map(({ request }) => request),
    })),
  };
}

function requestOf(method: string, path: string, operation: oas31.OperationObject): object {
  const parameters = (operation.parameters ?? []).filter((each): each is oas31.ParameterObject => 'name' in each);
  const of = (place: string) => parameters.filter((each) => each.in === place);
  const content = (operation.requestBody as oas31.RequestBodyObject | undefined)?.content ?? {};
  const body = content['application/json']?.example as unknown;
  const takesFile = 'application/octet-stream' in content;
  const value = ({ name, description, example }: oas31.ParameterObject) => ({ key: name, value: String(example), description });
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  return {
    name: operation.summary,
    request: {
      method,
      description: operation.description,
      header: [
        { key: 'X-Account-Id', value: '{{account_id}}' },
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...(takesFile ? [{ key: 'Content-Type', value: 'application/octet-stream' }] : []),
      ],
      url: {
        raw: `{{base_url}}/${segments}`,
        host: ['{{base_url}}'],
        path: segments.split('/'),
        // Only required parameters are sent until the reader chooses others.
        query: of('query').map((parameter) => ({ ...value(parameter), disabled: parameter.required !== true })),
        variable: of('path').map(value),
      },
      ...(takesFile ? { body: { mode: 'file' } } : {}),
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
  };
}
