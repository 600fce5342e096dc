/** What a call takes and answers, derived from the description of the API. */
import type { paths } from './api.gen.ts';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** The paths that have the method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];

type OperationOf<Path extends keyof paths, M extends Method> =
  paths[Path] extends Record<M, infer Operation> ? Operation : never;

/** Absent fields of an operation are typed `never`. */
type Present<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;

type Parameters<Operation, In extends 'path' | 'query'> = Operation extends {
  parameters: { [name in In]?: infer Part };
}
  ? Present<Part>
  : unknown;

type JsonOf<Part> = Part extends { content: { 'application/json': infer Json } } ? Json : undefined;

type Body<Operation> = Operation extends { requestBody?: infer Part }
  ? [NonNullable<Part>] extends [never]
    ? unknown
    : JsonOf<NonNullable<Part>>
  : unknown;

/** All fields of a call in one object, wherever the request has them: no name stands for two of them. */
export type FieldsOf<Path extends keyof paths, M extends Method> = Parameters<OperationOf<Path, M>, 'path'> &
  Parameters<OperationOf<Path, M>, 'query'> &
  Body<OperationOf<Path, M>>;

type Success = 200 | 201 | 202 | 204;

export type AnswerOf<Path extends keyof paths, M extends Method> =
  OperationOf<Path, M> extends { responses: infer Responses } ? JsonOf<Responses[keyof Responses & Success]> : never;

interface Page {
  data: readonly unknown[];
  next_cursor: string | null;
}

/** The paths that answer page by page. */
export type ListPath = {
  [Path in PathWith<'get'>]: AnswerOf<Path, 'get'> extends Page ? Path : never;
}[PathWith<'get'>];

export type ItemOf<Path extends ListPath> =
  AnswerOf<Path, 'get'> extends { data: readonly (infer Item)[] } ? Item : never;
