/**
 * Lists what each declaration uses, read from the source text. Relies on biome's formatting: top-level code starts in
 * column 1.
 */
import path from 'node:path';

/**
 * @typedef {{ as: string, name: string, from: string }} Import `name` is `*` for the whole module
 * @typedef {{ declarations: Map<string, string>, imports: Import[] }} Source text by name; other top-level code is under `*`
 */

/** Stands for the whole file where a declaration's name is expected. */
export const WHOLE = '*';

const CODE = /\.(?:ts|tsx|mjs|js)$/;
const ALIASES = {
  '#domain/': 'src/domain/',
  '#contract/': 'src/contract/',
  '#messages/': 'src/messages/',
  '#server/': 'src/server/',
};
Object.assign(ALIASES, { '#sandbox/': 'src/sandbox/', '#web/': 'src/web/', '#tests/': 'tests/' });
const DECLARED = /^(?:export )?(?:default )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
const IMPORTED = /^import\s+(?!type\s)(?:([^'"]*?)\s*from\s+)?'([^']+)'/gm;

/** @param {ReadonlyMap<string, string>} files text by path @returns {Map<string, Source>} */
export function readSources(files) {
  return new Map([...files].filter(([file]) => CODE.test(file)).map(([file, text]) => [file, readSource(file, text)]));
}

/** @returns {Source} */
export function readSource(file, text) {
  const lines = text.split('\n').filter((line) => !COMMENT.test(line));
  const declarations = new Map([[WHOLE, '']]);
  for (const part of lines.join('\n').split(/\n(?=[A-Za-z_$])/)) {
    if (/^import\b(?!\()/.test(part)) continue;
    const name = DECLARED.exec(part)?.[1] ?? WHOLE;
    declarations.set(name, `${declarations.get(name) ?? ''}${part}\n`);
  }
  const imports = [...text.matchAll(IMPORTED)].flatMap(([, clause = '', from]) =>
    namesIn(clause).map((names) => ({ ...names, from: resolve(file, from) })),
  );
  return { declarations, imports };
}

/** Names in `import one, { two as three } from`; a bare import has one empty name. */
function namesIn(clause) {
  const [outer = '', inner = ''] = clause.split(/[{}]/);
  const whole = outer.replace(/\*\s+as\s+/, '').match(/[\w$]+/g) ?? [];
  const single = inner
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => item.split(/\s+as\s+/));
  if (clause === '') return [{ as: '', name: WHOLE }];
  return [...whole.map((as) => ({ as, name: WHOLE })), ...single.map(([name, as = name]) => ({ as, name }))];
}

function resolve(file, from) {
  const [alias] = /^#\w+\//.exec(from) ?? [];
  const target = alias ? from.replace(alias, ALIASES[alias]) : from;
  return target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target;
}

/**
 * @param {ReadonlyMap<string, Source>} sources
 * @returns {{ file: string, name: string }[]} the declarations, in any file, that a text in `file` uses
 */
export function usedIn(sources, file, text) {
  const { declarations, imports } = sources.get(file);
  const at = (target, name) => ({ file: target, name: sources.get(target)?.declarations.has(name) ? name : WHOLE });
  const imported = Map.groupBy(imports, ({ as }) => as);
  const used = (imported.get('') ?? []).map(({ from }) => at(from, WHOLE));
  for (const [, name, member] of text.matchAll(/(?<![\w$]|(?<!\.\.)\.)([A-Za-z_$][\w$]*)(?:\.([\w$]+))?/g)) {
    if (declarations.has(name)) used.push({ file, name });
    for (const found of imported.get(name) ?? [])
      used.push(at(found.from, found.name === WHOLE && member ? member : found.name));
  }
  for (const [, loaded, from = loaded] of text.matchAll(/\bimport\('([^']+)'\)|^export\b[^'=]*\bfrom '([^']+)'/gm))
    used.push(at(resolve(file, from), WHOLE));
  return used;
}

/** Declarations whose text changed; all of them if other top-level code changed. */
export function changedDeclarations(file, before, after) {
  if (!CODE.test(file)) return [WHOLE];
  const old = readSource(file, before ?? '').declarations;
  const now = readSource(file, after ?? '').declarations;
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
  const isWhole = before === null || after === null || changed.includes(WHOLE);
  return isWhole ? [...new Set([...old.keys(), ...now.keys()])] : changed;
}
