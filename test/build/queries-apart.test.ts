import {execFileSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type * as graphql from '../../source/simulator/analytics/graphql-language.ts';

const dist = resolve(import.meta.dirname, '../../dist');
let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-queries-'));
	cpSync(dist, join(folder, 'dist'), {recursive: true});
	rmSync(join(folder, 'dist', 'graphql.cjs'));
});
afterAll(() => rmSync(folder, {recursive: true}));

/** Runs the program without graphql.cjs, the bundle of the query language. */
const run = (...command: readonly string[]): string =>
	execFileSync(process.execPath, [join(folder, 'dist', 'ledge.cjs'), ...command], {
		encoding: 'utf8',
		env: {PATH: process.env.PATH, HOME: folder},
	});

test.each([
	['--help'],
	['kv', 'key', 'list', '--help'],
	['--simulate', 'kv', 'namespace', 'list'],
	['--simulate', '--zone', 'check.acme.example', 'migration', 'status'],
])('the GraphQL library is not loaded for %s %s %s %s %s', (...command) => {
	expect(run(...command)).not.toBe('');
});

/** What a bundle exports: it is a module that exports a function (source/parts.cjs). */
function loadBundle(name: string): unknown {
	const require = createRequire(import.meta.url);
	const make = require(join(dist, name)) as (...given: unknown[]) => void;
	const module = {exports: {}};
	make(require, module, module.exports);
	return module.exports;
}

const readBundle = (name: string) => readFileSync(join(dist, name), 'latin1');

test('the GraphQL library is in its own bundle only, which works alone', () => {
	const validationMessage = 'Cannot query field';
	for (const name of ['cli.cjs', 'screens.cjs', 'completion.cjs', 'expressions.cjs'])
		expect(readBundle(name)).not.toContain(validationMessage);
	expect(readBundle('graphql.cjs')).toContain(validationMessage);
	const {buildSchema} = loadBundle('graphql.cjs') as typeof graphql;
	expect(buildSchema('type Query { a: Int }').getQueryType()?.name).toBe('Query');
});
