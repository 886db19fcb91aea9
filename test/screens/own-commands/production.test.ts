import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {eventually} from '../../support/eventually.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {createFolderWithContexts} from '../support/contexts.ts';
import {agreeToProduction} from '../support/production-ways.ts';
import {waitForHome} from '../support/sample-ways.ts';
import {drawScreen} from '../support/screen.tsx';

test('a command asks in production, and runs only after yes', async () => {
	await using service = await serveSimulator();
	const cwd = createFolderWithContexts(service);
	const file = join(cwd, 'ran');
	writeFileSync(
		join(cwd, '.config/ledge/config.toml'),
		`[[commands]]\ntitle = "Touch"\nkey = "f9"\ncommand = ["touch", "${file}"]\nread_only = true\n`,
		{mode: 0o600},
	);
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01', PATH: process.env.PATH ?? ''};
	const screen = await drawScreen({}, {cwd, env, columns: 200});
	await waitForHome(screen);
	screen.press('f9');
	await screen.waitFor(`PRODUCTION: run touch ${file}?`);
	screen.press('esc');
	await screen.waitFor('was not confirmed');
	expect(existsSync(file)).toBe(false);
	screen.press('f9');
	await agreeToProduction(screen);
	await eventually(() => expect(existsSync(file)).toBe(true));
});
