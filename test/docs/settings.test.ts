import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {environmentVariables} from '../../source/manual/environment-variables.ts';

const variablePattern = /\b(?:CLOUDFLARE|CF|LEDGE)_[A-Z_]+\b(?!_)/g;

test('docs/settings.md lists exactly the variables that the code reads', () => {
	const readVariables = readdirSync('source', {recursive: true, encoding: 'utf8'})
		.filter(path => /\.(ts|tsx|cjs)$/.test(path) && !path.startsWith('manual'))
		.flatMap(path =>
			[...readFileSync(join('source', path), 'utf8').matchAll(variablePattern)].map(([name]) => name),
		);
	const listedVariables = environmentVariables
		.flatMap(({names}) => names)
		.map(name => name.replace('*', ''))
		.filter(name => name.match(variablePattern));
	// LEDGE_VERSION is a constant that the build defines.
	expect([...new Set(readVariables)].filter(name => name !== 'LEDGE_VERSION').toSorted()).toEqual(
		listedVariables.toSorted(),
	);
});
