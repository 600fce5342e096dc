/** Generates the types of the client from the description of the API. `node scripts/api-document.mjs` writes them. */
import openapiTypes, { astToString } from 'openapi-typescript';

const HEADER = '/** Generated from docs/openapi.json by `node scripts/api-document.mjs`. */\n';

/** @returns the source of src/api.gen.ts */
export async function clientTypes(document: object): Promise<string> {
  const types = astToString(await openapiTypes(JSON.stringify(document)));
  const codes = errorCodesOf(document as Described).map((code) => `\n  | '${code}'`);
  return `${HEADER}${types}\n/** What \`error.code\` can be. */\nexport type ErrorCode =${codes.join('')};\n`;
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { 'x-codes'?: string[] }> }>>;
}

function errorCodesOf({ paths }: Described): string[] {
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
  const codes = calls.flatMap(({ responses }) => Object.values(responses).flatMap((one) => one['x-codes'] ?? []));
  return [...new Set(codes)].toSorted();
}
