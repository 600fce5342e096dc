/** Declares an endpoint once, for server and client: method, path, schemas and access. */
import type * as z from 'zod/mini';
import './forms/form-problem.ts';

/**
 * `organizer` requires a session. `attendant` requires a grant for the input's `eventId`, or the session of the event's
 * organizer. `admin` requires the admin flag in the database. `key` requires an API key.
 */
export type Access = 'public' | 'organizer' | 'attendant' | 'admin' | 'key';

export interface Endpoint<Input extends z.ZodMiniType, Reply extends z.ZodMiniType, A extends Access = Access> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:name` segments are input fields; all others are sent in the query (GET) or the JSON body. */
  readonly path: `/api/${string}`;
  readonly access: A;
  readonly input: Input;
  readonly reply: Reply;
  /** Also called by an operator who views an organization, who may otherwise only read. */
  readonly worksWhileViewing?: true;
  /** Its largest valid body is larger than those of others. */
  readonly isLarge?: true;
  /** Multipart body: the input fields, then files. */
  readonly upload?: true;
}

export type AnyEndpoint = Endpoint<z.ZodMiniType, z.ZodMiniType>;
export type InputOf<E extends AnyEndpoint> = z.infer<E['input']>;
export type ReplyOf<E extends AnyEndpoint> = z.infer<E['reply']>;

export function endpoint<Input extends z.ZodMiniType, Reply extends z.ZodMiniType, A extends Access>(
  call: Endpoint<Input, Reply, A>,
): Endpoint<Input, Reply, A> {
  return call;
}
