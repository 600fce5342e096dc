/**
 * A call of the product as data: both sides read the method, the path, the types and who may call
 * from here, so they cannot disagree.
 */
import type * as z from 'zod/mini';
import './messages/form-errors.ts';

/**
 * Who may call: anyone; an organizer with a session; an attendant with a grant for the `eventId`
 * of the input (or the event's own organizer); an admin, by what the database says.
 */
export type Access = 'public' | 'organizer' | 'attendant' | 'admin';

export interface Endpoint<Input extends z.ZodMiniType, Reply extends z.ZodMiniType, A extends Access = Access> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `:name` segments are fields of the input; the other fields travel in the query (GET) or the JSON body. */
  readonly path: `/api/${string}`;
  readonly access: A;
  readonly input: Input;
  readonly reply: Reply;
  /** The body is multipart: the fields of the input, and files beside them. */
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
