import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {createSimulator} from '../../../../source/simulator/simulator.ts';
import {faultyLine} from '../../../support/faulty-line.ts';
import {echo, revealing} from '../../../support/secrets.ts';
import {withContexts} from '../../support/contexts.ts';
import {homeOf, toKeys, toNamespaces} from '../../support/sample-ways.ts';
import {drawnScreen} from '../../support/screen.tsx';

const token = 'Zx9/q+tok_of-the~secrets.test==';

test('no frame, file or copied text contains a token echoed by the service', async () => {
	using simulator = createSimulator({rateLimit: false, tokens: [token]});
	await using line = await faultyLine(simulator);
	const cwd = withContexts(line);
	echo(line, token, 'writes');
	const env = {...line.env, CLOUDFLARE_API_TOKEN: token, TOKEN: token, LEDGE_TIME_SCALE: '0.01'};
	const screen = await drawnScreen({}, {cwd, env, columns: 140, rows: 20});
	await homeOf(screen);
	await toNamespaces(screen);
	await toKeys(screen);
	echo(line, token, 'everything');
	screen.press('ctrl-r');
	await screen.waitFor(/× .*redacted/);
	screen.press('i');
	await screen.waitFor('(code 2)');
	await screen.answerTo('esc');
	screen.press('A');
	await screen.waitFor('/accounts');
	screen.press('y');
	await screen.waitFor('Copied');
	screen.press('J');
	await screen.waitFor('No jobs.');
	screen.press('C');
	await screen.waitFor(/context +prod/);
	screen.press('H');
	await screen.waitFor('Credential');

	const files = readdirSync(cwd, {recursive: true, encoding: 'utf8'})
		.map(name => join(cwd, name))
		.filter(path => statSync(path).isFile());
	// A line that is wrapped is one all the same.
	const frames = stripVTControlCharacters(screen.received()).replaceAll(/\s+/g, '');
	const everything = [frames, ...screen.copied, ...files.map(path => readFileSync(path, 'utf8'))].join('\n');
	expect(screen.copied).not.toEqual([]);
	for (const form of revealing(token)) expect(everything.includes(form), form).toBe(false);
});
