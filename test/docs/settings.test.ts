import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {environmentVariables} from '../../source/manual/environment-variables.ts';

const ours = /\b(?:CLOUDFLARE|CF|LEDGE)_[A-Z_]+\b(?!_)/g;

test('docs/settings.md lists exactly the variables that the code reads', () => {
	const read = readdirSync('source', {recursive: true, encoding: 'utf8'})
		.filter(path => /\.(ts|tsx|cjs)$/.test(path) && !path.startsWith('manual'))
		.flatMap(path => [...readFileSync(join('source', path), 'utf8').matchAll(ours)].map(([name]) => name));
	const listed = environmentVariables
		.flatMap(({names}) => names)
		.map(name => name.replace('*', ''))
		.filter(name => name.match(ours));
	// The version is put in by the build.
	expect([...new Set(read)].filter(name => name !== 'LEDGE_VERSION').toSorted()).toEqual(listed.toSorted());
});
