import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createSimulator, type Simulator, simulatedAccount} from '../../../source/simulator/simulator.ts';
import {everyCommand, readSampleIds, type SampleIds} from '../../support/every-command.ts';
import {type FaultyLine, startFaultyLine} from '../../support/faulty-line.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';
import {echoSecret, listRevealingTexts} from '../../support/secrets.ts';

const token = 'Zx9/q+tok_of-the~secrets.test==';

type Source = {
	readonly name: string;
	readonly refused: 'everything' | 'writes';
	readonly env: Readonly<Record<string, string>>;
	/** Writes the credential below HOME; returns the file that may contain it. */
	prepare?(home: string): string;
};

const writeLogin = (home: string): string => {
	mkdirSync(join(home, '.config/.wrangler/config'), {recursive: true});
	const file = join(home, '.config/.wrangler/config/default.toml');
	writeFileSync(file, `oauth_token = "${token}"\nexpiration_time = "2099-01-01T00:00:00Z"\n`);
	return file;
};

/** Writes a program that prints the token and records its arguments. */
const writePrinter = (home: string): string => {
	const file = join(home, 'printer');
	writeFileSync(file, `#!/bin/sh\necho "printer $*" >> "${join(home, 'arguments')}"\necho '${token}'\n`);
	chmodSync(file, 0o700);
	return file;
};

const sources: readonly Source[] = [
	{name: 'the environment', refused: 'writes', env: {CLOUDFLARE_API_TOKEN: token}},
	{name: 'a login', refused: 'everything', env: {CLOUDFLARE_API_TOKEN: ''}, prepare: writeLogin},
	{
		name: 'a credential command',
		refused: 'everything',
		env: {CLOUDFLARE_API_TOKEN: '', LEDGE_CREDENTIAL_COMMAND: 'printer --for ledge'},
		prepare: writePrinter,
	},
];

let simulator: Simulator;
let line: FaultyLine;
let ids: SampleIds;

beforeAll(async () => {
	simulator = createSimulator({rateLimit: false, migrationSeconds: 0, tokens: [token]});
	line = await startFaultyLine(simulator);
	ids = await readSampleIds({...line.env, CLOUDFLARE_API_TOKEN: token});
});

afterAll(async () => {
	await line[Symbol.asyncDispose]();
	simulator.close();
});

/** Creates a folder that is HOME and the working folder, with the files that commands read. */
function createHome(): string {
	const folder = createScratchFolder();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`[contexts.prod]\naccount_id = "${simulatedAccount.id}"\ntoken_variable = "PROD"\n`,
		{mode: 0o600},
	);
	writeFileSync(join(folder, 'put.json'), '[{"key":"new-1","value":"a"}]');
	writeFileSync(join(folder, 'delete.json'), '["features","limits"]');
	writeFileSync(join(folder, 'managed.json'), '{"rules": []}');
	writeFileSync(join(folder, 'rules.yaml'), 'custom_rules: []\n');
	writeFileSync(
		join(folder, 'editor.sh'),
		`#!/bin/sh\necho "editor $*" >> "${join(folder, 'arguments')}"\nprintf mine > "$1"\n`,
	);
	chmodSync(join(folder, 'editor.sh'), 0o700);
	return folder;
}

const listFiles = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.map(name => join(folder, name))
		.filter(path => statSync(path).isFile());

function expectNoToken(label: string, text: string): void {
	for (const form of listRevealingTexts(token))
		expect(text.includes(form), `${label}: ${form} in ${text}`).toBe(false);
}

describe.each(sources)('every command with a credential from $name, with $refused rejected', source => {
	const {refused, env, prepare} = source;

	test('keeps an echoed token out of output, files and arguments', async () => {
		const folder = createHome();
		const credentialPath = prepare?.(folder);
		const silentCommands: string[] = [];
		for (const {name, words, writes, isOffline} of everyCommand) {
			echoSecret(line, token, refused);
			const fullWords = [...name.split(' '), ...words(ids), ...(writes ? ['--yes'] : []), '--verbose'];
			const {stdout, stderr} = await ledge(fullWords, {
				cwd: folder,
				env: {
					...line.env,
					PATH: `${folder}:/usr/bin:/bin`,
					EDITOR: join(folder, 'editor.sh'),
					...env,
				},
				clock: createVirtualClock(),
			});
			expectNoToken(name, `${stdout}\n${stderr}`);
			if (line.arrived().length === 0 && !isOffline) silentCommands.push(name);
		}
		expect(silentCommands).toEqual([]);
		for (const path of listFiles(folder))
			if (path !== credentialPath) expectNoToken(path, `${path}\n${readFileSync(path, 'utf8')}`);
		expect(existsSync(join(folder, '.local/state/ledge'))).toBe(refused === 'writes');
	});
});
