/**
 * Finds the test files that a change can affect, nearest first.
 *
 * Most test files start the whole server, so a graph of files would connect every rule to nearly all of them. This is a
 * graph of declarations instead, and the files that start the server add no edges of their own: an endpoint leads to
 * its handler, an address to its screen, and a test to its folder.
 */
import path from 'node:path';
import { changedDeclarations, readSources, usedIn, WHOLE } from './declarations.mjs';

/**
 * @typedef {{ path: string, before: string | null, after: string | null }} Change `null`: the file did not or does not exist
 * @typedef {'pure' | 'product' | 'journey'} Kind `product` starts a database or a process, `journey` a browser
 * @typedef {{ file: string, kind: Kind, distance: number }} Reached
 */

const OPENS_PRODUCT = new Set([
  'src/server/main/app.ts',
  'src/server/main/main.ts',
  'src/web/organizer-screens.ts',
  'src/web/routes.tsx',
  'tests/support/call-samples.ts',
  'tests/support/product.ts',
  'tests/support/test-app.ts',
]);
const DATABASE = 'tests/support/test-database.ts';
const ROUTES = 'src/web/routes.tsx';
const ORGANIZERS_ROUTES = 'src/web/organizer-screens.ts';
const SERVICE_WORKER = { path: '/worker.js', screen: 'src/service-worker/worker.ts' };
/** Around every screen. */
const FRAMES = ['src/web/entry-client.tsx', 'src/web/entry-server.tsx'];
const TEST = /^(?:clients|src|tests|bench)\/.*\.test\.tsx?$/;
const JOURNEY = /^tests\/journeys\/[^/]+\.spec\.ts$/;

/** Stands for the file's path where a declaration's name is expected. */
const PATH = './';

/** An import is one step; these are weaker. */
const STEPS_TO_FOLDER = 3;
const STEPS_TO_PATTERN = 3;
const STEPS_TO_FRAME = 3;
/** Saved if the test's name or folder shares a word with the changed file. */
const STEPS_SAVED_BY_NAME = 2;

export const LANDMARKS = [...OPENS_PRODUCT, ...FRAMES, DATABASE, SERVICE_WORKER.screen];

const isTest = (file) => TEST.test(file) || JOURNEY.test(file);
const node = (file, name) => `${file} ${name}`;

/**
 * @param {ReadonlyMap<string, string>} files text by path
 * @param {readonly Change[]} changes
 * @returns {Reached[]} nearest first; ties by similarity of name to the users of the change, then by length
 */
export function reachedBy(files, changes) {
  const graph = graphOf(files, changes);
  const starts = changes.flatMap(({ path: file, before, after }) =>
    [PATH, ...changedDeclarations(file, before, after)].map((name) => node(file, name)),
  );
  const distances = graph.distancesFrom(starts);
  const users = [...distances].filter(([, distance]) => distance <= 1).map(([found]) => found.split(' ')[0]);
  const own = new Set(changes.flatMap(({ path: file }) => wordsIn(file)));
  const near = new Set(users.filter((file) => !isTest(file)).flatMap(wordsIn));
  const rank = (file) => {
    const words = wordsIn(file);
    const distance = distances.get(node(file, WHOLE)) - (words.some((word) => own.has(word)) ? STEPS_SAVED_BY_NAME : 0);
    const likeness = words.filter((word) => near.has(word)).length + phrasesShared(files.get(file), changes);
    return [Math.max(0, distance), -likeness, files.get(file).length];
  };
  return [...files.keys()]
    .filter((file) => isTest(file) && distances.has(node(file, WHOLE)))
    .map((file) => ({ file, rank: rank(file) }))
    .toSorted((one, other) => compare(one.rank, other.rank))
    .map(({ file, rank: [distance] }) => ({ file, kind: graph.kindOf(file), distance }));
}

/** Counts a test's phrases that occur in the changed text: labels and headings that a journey looks for. */
function phrasesShared(test, changes) {
  const phrases = new Set([...test.matchAll(/(['"`])([A-Z][^'"`\n]{5,})\1/g)].map(([, , phrase]) => phrase));
  return [...phrases].filter((phrase) => changes.some(({ after }) => after?.includes(phrase))).length;
}

/** Words of the file's name and folder: `src/server/payments/refunds/request-refund.ts` gives `request` and `refund`. */
const wordsIn = (file) => {
  const words =
    file
      .split('/')
      .slice(-2)
      .join('-')
      .match(/[a-z]{4,}/g) ?? [];
  return [...new Set(words.filter((word) => word !== 'test' && word !== 'spec').map((word) => word.replace(/s$/, '')))];
};

const compare = (one, other) => one.map((number, at) => number - other[at]).find((difference) => difference !== 0) ?? 0;

/**
 * Each screen's folder, and the journeys that open one of its addresses, with the number of steps: 1 if the journey names it.
 * @returns {Map<string, { journey: string, steps: number }[]>}
 */
export function journeysOfScreens(files) {
  const graph = graphOf(files, []);
  const screens = Map.groupBy(screensIn(files), ({ screen }) => path.dirname(screen));
  const journeys = [...files.keys()].filter((file) => JOURNEY.test(file));
  return new Map(
    [...screens].map(([folder, ofFolder]) => {
      const distances = graph.distancesFrom(ofFolder.map(({ screen }) => node(screen, WHOLE)));
      const found = journeys.map((journey) => ({ journey, steps: distances.get(node(journey, WHOLE)) }));
      return [folder, found.filter(({ steps }) => steps !== undefined)];
    }),
  );
}

function graphOf(files, changes) {
  const sources = readSources(files);
  const screens = screensIn(files);
  const users = new Map();
  const add = (user, used, steps = 1) => {
    const known = users.get(used) ?? users.set(used, []).get(used);
    known.push({ user, steps });
  };

  for (const [file, { declarations }] of sources) {
    for (const [name, text] of declarations) {
      const user = node(file, name);
      add(node(file, WHOLE), user, 0);
      for (const used of usedIn(sources, file, text))
        if (!OPENS_PRODUCT.has(file) || OPENS_PRODUCT.has(used.file)) add(user, node(used.file, used.name));
      for (const { endpoint, answers } of mountedIn(sources, file, text))
        for (const used of answers) add(node(endpoint.file, endpoint.name), node(used.file, used.name));
      if (!file.startsWith('tests/') && !isTest(file)) continue;
      const opened = openedIn(text, screens);
      for (const screen of opened) add(user, node(screen, WHOLE));
      if (opened.length > 0) for (const frame of FRAMES) add(user, node(frame, WHOLE), STEPS_TO_FRAME);
    }
  }
  for (const { user, used, steps } of neighbours(sources)) add(user, used, steps);
  for (const { user, used, steps } of namedIn(sources, changes)) add(user, used, steps);

  const started = filesThatImport(sources, [DATABASE, 'node:child_process']);
  return {
    kindOf: (file) => (JOURNEY.test(file) ? 'journey' : started.has(file) ? 'product' : 'pure'),
    distancesFrom: (starts) => distancesFrom(users, starts),
  };
}

/** `mount(app, contract.requestRefund, ...)`: a caller of the endpoint uses its handler. */
function mountedIn(sources, file, text) {
  if (!file.endsWith('.routes.ts')) return [];
  return text
    .split(/(?=\bmount\w*\()/)
    .slice(1)
    .flatMap((call) => {
      const used = usedIn(sources, file, call);
      const endpoint = used.find((one) => one.file.startsWith('src/contract/'));
      return endpoint ? [{ endpoint, answers: used.filter((one) => one !== endpoint) }] : [];
    });
}

function screensIn(files) {
  const table = [ROUTES, ORGANIZERS_ROUTES].map((file) => files.get(file) ?? '').join('');
  const routes = table.matchAll(/^.*?'(\/[^']*)'.*import\('\.\/([^']+)'\)/gm);
  return [...routes].map(([, address, screen]) => ({ path: address, screen: `src/web/${screen}` }));
}

/** Screens whose address occurs in a text, with anything in place of a parameter. */
function openedIn(text, screens) {
  const known = [...screens, SERVICE_WORKER].map(({ path: address, screen }) => ({
    parts: address.split('/'),
    screen,
  }));
  const addresses = [...text.replace(/\$\{[^{}]*\}/g, '§').matchAll(/['"`§](\/[^'"`\s?#]*)/g)].map(([, address]) =>
    address.toLowerCase().split('/'),
  );
  const isAt = (parts) => (address) =>
    address.length === parts.length && parts.every((part, at) => part === address[at] || part.startsWith(':'));
  return known.filter(({ parts }) => addresses.some(isAt(parts))).map(({ screen }) => screen);
}

/** A test covers the files in its folder, and most of all the one with its name. */
function neighbours(sources) {
  const folders = Map.groupBy(
    [...sources.keys()].filter((file) => file.startsWith('src/')),
    path.dirname,
  );
  return [...folders.values()].flatMap((files) => {
    const tests = files.filter(isTest);
    const tested = files.filter((file) => !isTest(file));
    return tests.flatMap((test) =>
      tested.flatMap((file) => {
        const steps = path.parse(file).name === path.basename(test).split('.test.')[0] ? 1 : STEPS_TO_FOLDER;
        return [...sources.get(file).declarations.keys()].map((name) => ({
          user: node(test, WHOLE),
          used: node(file, name),
          steps,
        }));
      }),
    );
  });
}

/**
 * Files that nothing imports are matched by path or pattern in a test's text, and migrations by the objects they
 * create.
 */
function namedIn(sources, changes) {
  return changes.flatMap(({ path: changed, before, after }) => {
    const made = /^migrations\/.*\.sql$/.test(changed) ? madeIn(`${before ?? ''}\n${after ?? ''}`) : null;
    return [...sources].flatMap(([file, { declarations }]) =>
      [...declarations].flatMap(([name, text]) => {
        const steps = file.endsWith('.sql.ts') ? made?.test(text) && 1 : stepsByName(changed, file, text);
        return steps ? [{ user: node(file, name), used: node(changed, PATH), steps }] : [];
      }),
    );
  });
}

function madeIn(sql) {
  const names = [
    ...sql.matchAll(/\b(?:table|function|view|trigger|into|update)\s+(?:if (?:not )?exists\s+)?(\w{4,})/gi),
  ];
  return names.length > 0 ? new RegExp(`\\b(?:${[...new Set(names.map(([, name]) => name))].join('|')})\\b`) : null;
}

function stepsByName(changed, file, text) {
  if (!file.startsWith('tests/') && !isTest(file)) return null;
  const literals = [...text.matchAll(/['"`]([\w@*{},./-]*[./][\w@*{},./-]*)['"`]/g)].map(([, literal]) => literal);
  const named = literals.map((literal) => literal.replace(/^(?:\.{1,2}\/)+/, ''));
  if (named.includes(changed)) return 1;
  const isMeant = named.some((name) => name.includes('*') && path.matchesGlob(changed, name));
  return isMeant ? STEPS_TO_PATTERN : null;
}

function filesThatImport(sources, targets) {
  const importers = new Map();
  for (const [file, { imports }] of sources)
    for (const { from } of imports) importers.set(from, [...(importers.get(from) ?? []), file]);
  const found = new Set(targets);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}

/** @returns {Map<string, number>} */
function distancesFrom(users, starts) {
  const distances = new Map();
  const waiting = [new Set(starts)];
  for (let distance = 0; distance < waiting.length; distance++) {
    for (const found of waiting[distance] ?? []) {
      if (distances.has(found)) continue;
      distances.set(found, distance);
      for (const { user, steps } of users.get(found) ?? []) (waiting[distance + steps] ??= new Set()).add(user);
    }
  }
  return distances;
}
