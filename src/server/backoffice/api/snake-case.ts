/** Programs name fields in snake case; the product's own names are in camel case. */

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name;

type SnakeCased<Fields> = { [Name in keyof Fields as SnakeCase<Name & string>]: Fields[Name] };

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The same values under the names that programs know. */
export const snakeCased = <Fields extends object>(fields: Fields): SnakeCased<Fields> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCase(name), value])) as SnakeCased<Fields>;
