/** One API operation as data: method, path, parameters and handler. */

import type { OperationContext } from '../operation-context.ts';
import type { RawObject } from './form-body.ts';

export type Execute = (ctx: OperationContext, pathParams: Record<string, string>) => Promise<object>;

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Parses the parameters and throws on invalid ones, before the operation runs. */
  prepare(raw: RawObject): Execute;
}

export function route<P>(
  method: Route['method'],
  path: string,
  read: (raw: RawObject) => P,
  run: (ctx: OperationContext, params: P, pathParams: Record<string, string>) => Promise<object>,
): Route {
  return {
    method,
    path,
    prepare(raw) {
      const params = read(raw);
      return (ctx, pathParams) => run(ctx, params, pathParams);
    },
  };
}
