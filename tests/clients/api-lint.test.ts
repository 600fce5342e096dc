import { join } from 'node:path';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '#server/main/api/api-document.ts';
import { repository } from '../house/planted-tree.ts';

/** What the linter says of a description. */
async function problemsOf(document: object): Promise<string[]> {
  const config = await loadConfig({ configPath: join(repository, 'redocly.yaml') });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`);
}

describe('The description of the API', () => {
  it('follows the rules of the linter [API-9]', async () => {
    expect(await problemsOf(apiDocument('https://tickets.example'))).toEqual([]);
  });

  it('would not with a call without a name, or a path field that no parameter describes', async () => {
    const text = JSON.stringify(apiDocument('https://tickets.example'));
    const unnamed = JSON.parse(text.replace('"operationId":"listEvents",', '')) as object;
    const undescribed = JSON.parse(
      text.replaceAll('"name":"event_id","in":"path"', '"name":"id","in":"path"'),
    ) as object;

    expect(await problemsOf(unnamed)).toContainEqual(expect.stringContaining('operation-operationId'));
    expect(await problemsOf(undescribed)).toContainEqual(expect.stringContaining('path-parameters-defined'));
  });
});
