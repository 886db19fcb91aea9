import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {createSimulator} from '../../../../source/simulator/simulator.ts';
import {startFaultyLine} from '../../../support/faulty-line.ts';
import {echoSecret, listRevealingTexts} from '../../../support/secrets.ts';
import {createFolderWithContexts} from '../../support/contexts.ts';
import {goToConfigKeys, goToNamespaces, waitForHome} from '../../support/sample-ways.ts';
import {drawScreen} from '../../support/screen.tsx';

const token = 'Zx9/q+tok_of-the~secrets.test==';

test('no frame, file or copied text contains a token echoed by the service', async () => {
	using simulator = createSimulator({rateLimit: false, tokens: [token]});
	await using line = await startFaultyLine(simulator);
	const cwd = createFolderWithContexts(line);
	echoSecret(line, token, 'writes');
	const env = {...line.env, CLOUDFLARE_API_TOKEN: token, TOKEN: token, LEDGE_TIME_SCALE: '0.01'};
	const screen = await drawScreen({}, {cwd, env, columns: 140, rows: 20});
	await waitForHome(screen);
	await goToNamespaces(screen);
	await goToConfigKeys(screen);
	echoSecret(line, token, 'everything');
	screen.press('ctrl-r');
	await screen.waitFor(/× .*redacted/s);
	screen.press('i');
	await screen.waitFor('(code 2)');
	await screen.pressAndAwaitFrame('esc');
	screen.press('9');
	await screen.waitFor('/accounts');
	screen.press('y');
	await screen.waitFor('Copied');
	screen.press('7');
	await screen.waitFor('No jobs.');
	screen.press('C');
	await screen.waitFor(/context +prod/);
	screen.press('0');
	await screen.waitFor('Credential');

	const files = readdirSync(cwd, {recursive: true, encoding: 'utf8'})
		.map(name => join(cwd, name))
		.filter(path => statSync(path).isFile());
	// Without white space, so that a token in a wrapped line is found as well.
	const frames = stripVTControlCharacters(screen.received()).replaceAll(/\s+/g, '');
	const shownAndStoredText = [
		frames,
		...screen.copied,
		...files.map(path => readFileSync(path, 'utf8')),
	].join('\n');
	expect(screen.copied).not.toEqual([]);
	for (const form of listRevealingTexts(token)) expect(shownAndStoredText.includes(form), form).toBe(false);
});
