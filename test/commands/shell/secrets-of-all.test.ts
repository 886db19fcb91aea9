import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createSimulator, type Simulator, simulatedAccount} from '../../../source/simulator/simulator.ts';
import {everyCommand, type SampleIds, sampleIds} from '../../support/every-command.ts';
import {type FaultyLine, faultyLine} from '../../support/faulty-line.ts';
import {ledge, scratch, virtualClock} from '../../support/run.ts';
import {echo, revealing} from '../../support/secrets.ts';

const token = 'Zx9/q+tok_of-the~secrets.test==';

type Source = {
	readonly name: string;
	readonly refused: 'everything' | 'writes';
	readonly env: Readonly<Record<string, string>>;
	/** Writes what holds the credential below HOME; returns the file that may. */
	prepare?(home: string): string;
};

const login = (home: string): string => {
	mkdirSync(join(home, '.config/.wrangler/config'), {recursive: true});
	const file = join(home, '.config/.wrangler/config/default.toml');
	writeFileSync(file, `oauth_token = "${token}"\nexpiration_time = "2099-01-01T00:00:00Z"\n`);
	return file;
};

/** A program that prints the token, and keeps the arguments that it got. */
const printer = (home: string): string => {
	const file = join(home, 'printer');
	writeFileSync(file, `#!/bin/sh\necho "printer $*" >> "${join(home, 'arguments')}"\necho '${token}'\n`);
	chmodSync(file, 0o700);
	return file;
};

const sources: readonly Source[] = [
	{name: 'the environment', refused: 'writes', env: {CLOUDFLARE_API_TOKEN: token}},
	{name: 'a login', refused: 'everything', env: {CLOUDFLARE_API_TOKEN: ''}, prepare: login},
	{
		name: 'a credential command',
		refused: 'everything',
		env: {CLOUDFLARE_API_TOKEN: '', LEDGE_CREDENTIAL_COMMAND: 'printer --for ledge'},
		prepare: printer,
	},
];

let simulator: Simulator;
let line: FaultyLine;
let ids: SampleIds;

beforeAll(async () => {
	simulator = createSimulator({rateLimit: false, migrationSeconds: 0, tokens: [token]});
	line = await faultyLine(simulator);
	ids = await sampleIds({...line.env, CLOUDFLARE_API_TOKEN: token});
});

afterAll(async () => {
	await line[Symbol.asyncDispose]();
	simulator.close();
});

/** The folder of a person, which is HOME and the working folder, with what commands read. */
function home(): string {
	const folder = scratch();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`[contexts.prod]\naccount_id = "${simulatedAccount.id}"\ntoken_variable = "PROD"\n`,
		{mode: 0o600},
	);
	writeFileSync(join(folder, 'put.json'), '[{"key":"new-1","value":"a"}]');
	writeFileSync(join(folder, 'delete.json'), '["features","limits"]');
	writeFileSync(join(folder, 'managed.json'), '{"rules": []}');
	writeFileSync(
		join(folder, 'editor.sh'),
		`#!/bin/sh\necho "editor $*" >> "${join(folder, 'arguments')}"\nprintf mine > "$1"\n`,
	);
	chmodSync(join(folder, 'editor.sh'), 0o700);
	return folder;
}

const filesBelow = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.map(name => join(folder, name))
		.filter(path => statSync(path).isFile());

function expectNothing(of: string, text: string): void {
	for (const form of revealing(token)) expect(text.includes(form), `${of}: ${form} in ${text}`).toBe(false);
}

describe.each(sources)('every command with a credential from $name, with $refused rejected', source => {
	const {refused, env, prepare} = source;

	test('keeps an echoed token out of output, files and arguments', async () => {
		const folder = home();
		const own = prepare?.(folder);
		const quiet: string[] = [];
		for (const {name, words, writes, isOffline} of everyCommand) {
			echo(line, token, refused);
			const typed = [...name.split(' '), ...words(ids), ...(writes ? ['--yes'] : []), '--verbose'];
			const {stdout, stderr} = await ledge(typed, {
				cwd: folder,
				env: {
					...line.env,
					PATH: `${folder}:/usr/bin:/bin`,
					EDITOR: join(folder, 'editor.sh'),
					...env,
				},
				clock: virtualClock(),
			});
			expectNothing(name, `${stdout}\n${stderr}`);
			if (line.arrived().length === 0 && !isOffline) quiet.push(name);
		}
		expect(quiet).toEqual([]);
		for (const path of filesBelow(folder))
			if (path !== own) expectNothing(path, `${path}\n${readFileSync(path, 'utf8')}`);
		expect(existsSync(join(folder, '.local/state/ledge'))).toBe(refused === 'writes');
	});
});
