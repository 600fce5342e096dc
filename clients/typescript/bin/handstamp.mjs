#!/usr/bin/env node
// A checkout runs the source as it is; the published package contains only what is built from it.
import { existsSync } from 'node:fs';

const source = new URL('../src/cli/main.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href);
