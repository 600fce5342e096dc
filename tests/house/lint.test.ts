import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlantedTree, plantedTree, runGate } from './planted-tree.ts';

/** Each lint rule with a file that violates it. The path is part of the rule. */
const violations: [rule: string, path: string, source: string][] = [
  ['typescript/no-floating-promises', 'src/server/planted-1.ts', 'export function f() { Promise.resolve(1); }'],
  ['typescript/no-floating-promises', 'src/server/planted.test.ts', 'export function f() { Promise.resolve(1); }'],
  [
    'typescript/no-misused-promises',
    'src/server/planted-2.ts',
    'export const f = (ask: () => Promise<boolean>) => { if (ask()) return 1; return 2; };',
  ],
  ['typescript/await-thenable', 'src/server/planted-3.ts', 'export async function f() { await 1; }'],
  [
    'typescript/switch-exhaustiveness-check',
    'src/domain/planted-4.ts',
    "export function f(a: 'x' | 'y') { switch (a) { case 'x': return 1; } return 2; }",
  ],
  ['typescript/no-explicit-any', 'src/server/planted-5.ts', 'export const f = (a: any) => String(a);'],
  ['typescript/no-unsafe-assignment', 'src/server/planted-6.ts', "export const f: string = JSON.parse('1');"],
  ['typescript/no-unsafe-return', 'src/server/planted-7.ts', "export function f(): string { return JSON.parse('1'); }"],
  ['typescript/no-unsafe-member-access', 'src/server/planted-8.ts', "export const f = String(JSON.parse('1').a);"],
  ['typescript/no-unsafe-call', 'src/server/planted-9.ts', "export function f() { JSON.parse('1')(); }"],
  [
    'typescript/no-unsafe-argument',
    'src/server/planted-10.ts',
    "export const f = (g: (a: string) => void) => g(JSON.parse('1'));",
  ],
  ['typescript/no-non-null-assertion', 'src/server/planted-11.ts', 'export const f = (a: string | null) => a!;'],
  ['typescript/only-throw-error', 'src/server/planted-12.ts', "export function f() { throw 'no'; }"],
  [
    'typescript/consistent-type-imports',
    'src/server/planted-13.ts',
    "import { AppError } from './app-error.ts'; export type R = AppError;",
  ],
  ['eslint/no-console', 'src/server/planted-14.ts', "export function f() { console.log('here'); }"],
  ['eslint/no-warning-comments', 'src/server/planted-15.ts', '// TODO later\nexport const f = 1;'],
  ['eslint/eqeqeq', 'src/server/planted-16.ts', 'export const f = (a: unknown) => a == 1;'],
  ['import/no-default-export', 'src/server/planted-17.ts', 'export default 1;'],
  ['node/no-process-env', 'src/server/planted-18.ts', 'export const f = process.env.PORT;'],
  ['unicorn/filename-case', 'src/server/plantedFile.ts', 'export const f = 1;'],
  [
    'eslint/no-restricted-imports',
    'src/contract/planted-19.ts',
    "import { z } from 'zod'; export const f = z.string();",
  ],
  ['eslint/no-restricted-properties', 'src/domain/planted-20.ts', 'export const f = () => Date.now();'],
  ['eslint/no-restricted-globals', 'src/domain/planted-21.ts', 'export const f = () => fetch;'],
  [
    'react-hooks/rules-of-hooks',
    'src/web/PlantedA.tsx',
    "import { useState } from 'react';\nexport function PlantedA({ a }: { a: boolean }) { if (a) useState(1); return null; }",
  ],
  [
    'react-hooks/exhaustive-deps',
    'src/web/PlantedB.tsx',
    "import { useEffect } from 'react';\nexport function PlantedB({ f }: { f: () => void }) { useEffect(() => { f(); }, []); return null; }",
  ],
  ['react/button-has-type', 'src/web/PlantedC.tsx', 'export const PlantedC = () => <button>Go</button>;'],
  ['react/forbid-dom-props', 'src/web/PlantedD.tsx', 'export const PlantedD = () => <p style={{ margin: 0 }}>Go</p>;'],
  ['jsx-a11y/alt-text', 'src/web/PlantedE.tsx', 'export const PlantedE = () => <img src="/a.png" />;'],
  [
    'jsx-a11y/click-events-have-key-events',
    'src/web/PlantedF.tsx',
    'export const PlantedF = ({ f }: { f: () => void }) => <div onClick={f}>Go</div>;',
  ],
  ['vitest/no-focused-tests', 'src/domain/planted.test.ts', "import { it } from 'vitest';\nit.only('a', () => {});"],
  ['vitest/no-disabled-tests', 'src/domain/planted-2.test.ts', "import { it } from 'vitest';\nit.skip('a', () => {});"],
];

interface Report {
  diagnostics: { code: string; filename: string; severity: string }[];
}

describe('The linter', () => {
  let tree: PlantedTree;
  let report: Report;

  beforeAll(async () => {
    tree = await plantedTree();
    for (const [, path, source] of violations) await tree.plant(path, `${source}\n`);
    const { output } = await runGate(tree.root, 'oxlint', ['--format', 'json', ...violations.map(([, path]) => path)]);
    report = JSON.parse(output) as Report;
  });

  afterAll(() => tree[Symbol.asyncDispose]());

  it.each(violations)('reports %s in %s', (rule, path) => {
    const [plugin, name] = rule.split('/');
    const found = report.diagnostics.filter(({ filename, severity }) => filename === path && severity === 'error');

    expect(found.map(({ code }) => code)).toContain(`${plugin}(${name})`);
  });
});
