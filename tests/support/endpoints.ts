import { readdir } from 'node:fs/promises';
import type { AnyEndpoint } from '#contract/endpoint.ts';

const CONTRACT = new URL('../../src/contract/app/', import.meta.url);

/** Every endpoint of the contract, by export name. */
export async function endpointsOfContract(): Promise<[name: string, endpoint: AnyEndpoint][]> {
  const files = (await readdir(CONTRACT, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const found: [string, AnyEndpoint][] = [];
  for (const file of files) {
    const exported: object = await import(new URL(file, CONTRACT).href);
    for (const [name, value] of Object.entries(exported)) if (isEndpoint(value)) found.push([name, value]);
  }
  return found;
}

function isEndpoint(value: unknown): value is AnyEndpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value;
}
