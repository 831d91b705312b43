/** Request parameters with Stripe's nesting: `promotion[coupon]=x`, `types[0]=a`, `metadata[k]=v`. */
export interface Params {
  [name: string]: string | Params | undefined;
}

export function parseForm(encoded: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split(/[[\]]+/).filter((part, index) => index === 0 || part !== '');
    let target = params;
    for (const part of path.slice(0, -1)) {
      const next = target[part];
      target = typeof next === 'object' ? next : (target[part] = {});
    }
    const last = path.at(-1) ?? name;
    // `expand[]=a&expand[]=b` has no indexes.
    if (name.endsWith('[]')) {
      const list = target[last];
      const values = typeof list === 'object' ? list : (target[last] = {});
      values[String(Object.keys(values).length)] = value;
    } else {
      target[last] = value;
    }
  }
  return params;
}

export function textParam(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : undefined;
}

export function nestedParam(params: Params, name: string): Params {
  const value = params[name];
  return typeof value === 'object' ? value : {};
}

export function listParam(params: Params, name: string): string[] {
  return Object.values(nestedParam(params, name)).filter((value) => typeof value === 'string');
}
