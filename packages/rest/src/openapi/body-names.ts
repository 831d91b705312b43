import type { oas31 } from 'zod-openapi';

/** Moves every unnamed JSON body to the components, and names it after its operation: `campaigns.create` takes a `CampaignsCreateRequest`. */
export function nameBodies(document: oas31.OpenAPIObject): void {
  const schemas = (document.components ??= {}).schemas ?? {};
  document.components.schemas = schemas;
  const name = (content: oas31.ContentObject, as: string) => {
    const media = content['application/json'];
    if (!media?.schema || '$ref' in media.schema) return;
    if (schemas[as]) throw new Error(`Two schemas are called ${as}.`);
    schemas[as] = media.schema;
    media.schema = { $ref: `#/components/schemas/${as}` };
  };
  for (const item of [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})]) {
    for (const { operationId = '', requestBody, responses } of Object.values(item as Record<string, oas31.OperationObject>)) {
      const base = pascalCase(operationId);
      if (requestBody && 'content' in requestBody) name(requestBody.content, `${base}Request`);
      for (const [status, response] of Object.entries(responses ?? {}) as [string, oas31.ResponseObject][]) {
        const content = response.content;
        if (content) name(content, `${base}Response${firstSuccess(responses) === status ? '' : status}`);
      }
    }
  }
}

function firstSuccess(responses: oas31.ResponsesObject | undefined): string | undefined {
  return Object.keys(responses ?? {}).find((status) => status.startsWith('2'));
}

function pascalCase(operationId: string): string {
  return operationId
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
